import { chartHeap, describeWithMosquitto, freePort, until } from '@engawa/testing';
import { CountingListener } from './counting-listener.ts';
import { HeapSampler } from './heap-sampler.ts';
import { MemoryFixture } from './memory-fixture.ts';
import type { MqttClient } from 'mqtt';

/** Listeners that read, and listeners that stop reading. */
const [fast, slow] = [950, 50];
const listeners = fast + slow;
/** Of the fast ones, those that receive the readings of cameras, too. */
const fastOfAll = 10;

const names = (prefix: string) => Array.from({ length: 20 }, (_, index) => `${prefix}-${index}`);
/** Devices whose readings all listeners receive. */
const meters = names('meter');
const readingsPerMeter = 50;
const readings = meters.length * readingsPerMeter;
/**
 * Devices whose large readings fill the sockets of the listeners that do not read, then the ring. Several devices:
 * one key would be throttled and its readings parked, which changes their order.
 */
const cameras = names('camera');
const readingsPerCamera = 60;
const readingsPerPart = 20;
const largeReadings = cameras.length * readingsPerCamera;
const noteBytes = 12_000;

/**
 * Bytes of memory of a listener. A socket, its request and its response take about 20 KiB. Unsent events: Node buffers
 * 64 KiB until the socket is full, and one write more, of at most 16 KiB or one event. Sequences of 1,000 events that
 * wait: 8 KiB.
 */
const listenerBytes = (20 + 64 + 16 + 8) * 1024;
/** The recent events, which all listeners share (EventRing). */
const ringBytes = 8 * 1024 * 1024;
const maxBytes = listeners * listenerBytes + ringBytes;

let fixture: MemoryFixture;
let sampler: HeapSampler;
let publisher: MqttClient;
const all: CountingListener[] = [];

beforeEach(async () => {
  fixture = await MemoryFixture.open();
  const inspector = await freePort();
  await fixture.start([...chartHeap().nodeOptions, `--inspect=127.0.0.1:${inspector}`]);
  sampler = await HeapSampler.connect(inspector);
  publisher = await fixture.connectDevice();
});
afterEach(async () => {
  for (const listener of all.splice(0)) listener.close();
  await publisher.endAsync();
  sampler.close();
  await fixture.close();
});

interface Usage {
  heap: number;
  rss: number;
  /** Microseconds. */
  cpu: number;
  sent: number;
}

/** After a garbage collection. */
async function usage(): Promise<Usage> {
  await sampler.collectGarbage();
  const metrics = await fixture.child.metrics();
  const heap = metrics.sum('nodejs_heap_size_used_bytes');
  return {
    // Buffers are outside of the JavaScript heap.
    heap: heap + metrics.sum('nodejs_external_memory_bytes'),
    rss: metrics.sum('process_resident_memory_bytes'),
    cpu: metrics.cpu,
    sent: metrics.sum('engawa_ingest_live_events_total'),
  };
}

async function listen(count: number, devices: readonly string[]): Promise<CountingListener[]> {
  const query = `?${devices.map((device) => `device=${device}`).join('&')}`;
  const opened: CountingListener[] = [];
  while (opened.length < count) {
    const listener = await CountingListener.open(fixture.child.api, query);
    all.push(listener);
    opened.push(listener);
  }
  return opened;
}

interface Numbers {
  from: number;
  to: number;
}

/** A message for each reading, as devices send them; the devices take turns. */
async function publish(
  devices: readonly string[],
  { from, to }: Numbers,
  more: object,
): Promise<void> {
  for (let x = from; x < to; x++) {
    const payload = JSON.stringify({ x, ...more });
    const send = (device: string) =>
      publisher.publishAsync(`engawa/${device}/readings`, payload, { qos: 1 });
    await Promise.all(devices.map(send));
  }
}

async function untilReceived(
  some: readonly CountingListener[],
  devices: readonly string[],
  count: number,
): Promise<void> {
  const isAll = () => some.every((listener) => listener.count(devices) >= count);
  const progress = () => sumOf(some, (listener) => listener.count(devices));
  await until(`${count} readings for each of ${some.length}`, isAll, { progress });
}

function sumOf(some: readonly CountingListener[], value: (each: CountingListener) => number) {
  return some.reduce((sum, each) => sum + value(each), 0);
}

/** Readings of cameras that the listener received, or is told that it lost. */
const accounted = (listener: CountingListener) => listener.count(cameras) + listener.lost;

function report(states: readonly Usage[]): void {
  const [before, connected, received] = states as [Usage, Usage, Usage];
  const heaps = states.map(({ heap }) => ((heap - before.heap) / listeners / 1024).toFixed(1));
  const cpu = (received.cpu - connected.cpu) / (received.sent - connected.sent);
  const resident = states.map(({ rss }) => Math.round(rss / 1e6));
  process.stdout.write(
    [
      'before, connected, after readings, with full sockets:',
      `heap per listener ${heaps.join(', ')} KiB; RSS ${resident.join(', ')} MB;`,
      `CPU per event ${cpu.toFixed(2)} us`,
    ].join(' ') + '\n',
  );
}

describeWithMosquitto('a replica with 1,000 listeners', () => {
  it('sends fast ones every reading once and in order, tells slow ones their loss, and has bounded memory', async () => {
    const states = [await usage()];
    const fasts = [
      ...(await listen(fastOfAll, [...meters, ...cameras])),
      ...(await listen(fast - fastOfAll, meters)),
    ];
    const slows = await listen(slow, [...meters, ...cameras]);
    states.push(await usage());

    await publish(meters, { from: 0, to: readingsPerMeter }, {});
    await untilReceived([...fasts, ...slows], meters, readings);
    states.push(await usage());
    expect(states[2]?.sent).toBe(listeners * readings);

    for (const listener of slows) listener.pause();
    // In parts that fit the ring, so that fast ones lose nothing on a busy machine.
    for (let from = 0; from < readingsPerCamera; from += readingsPerPart) {
      const to = from + readingsPerPart;
      await publish(cameras, { from, to }, { note: 'x'.repeat(noteBytes) });
      await untilReceived(fasts.slice(0, fastOfAll), cameras, to * cameras.length);
    }
    states.push(await usage());
    report(states);
    const [before = await usage()] = states;
    for (const state of states) {
      expect(state.heap - before.heap).toBeLessThan(maxBytes);
      expect(state.rss - before.rss).toBeLessThan(maxBytes);
    }

    for (const listener of slows) listener.resume();
    await until('the rest', () => slows.every((each) => accounted(each) >= largeReadings), {
      progress: () => sumOf(slows, accounted),
    });
    for (const listener of slows) {
      expect(listener.lost).toBeGreaterThan(0);
      expect([listener.faults, listener.skipped]).toEqual([[], listener.lost]);
      expect(accounted(listener)).toBe(largeReadings);
    }
    for (const listener of fasts) {
      expect([listener.faults, listener.lost, listener.skipped]).toEqual([[], 0, 0]);
    }
  });
});
