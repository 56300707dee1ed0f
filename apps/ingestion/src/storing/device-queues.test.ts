import { DeviceQueues } from './device-queues.ts';
import type { KnownDevice } from '../devices/device-register.ts';
import type { QueuedParcel } from './parcel.ts';

const device: KnownDevice = {
  id: 'hot',
  kind: 'climate',
  isKindNamed: false,
  ahead: undefined,
  notedAheadMs: undefined,
  isPending: false,
  blockSpan: 0,
  lastSeenAt: 0,
  place: undefined,
  shards: [],
  partitions: [],
  oldestWritten: Infinity,
  readAt: 0,
  receivedAt: 0,
};

/** A parcel of one reading with so many bytes of text; it takes one write unit. */
function aParcel(
  time: number,
  bytes = 800,
): { -readonly [key in keyof QueuedParcel]: QueuedParcel[key] } {
  const readings = [{ time, fields: { text: 'x'.repeat(bytes) } }];
  const resolve = () => undefined;
  const parked = { isParked: false, isSpilled: false };
  return { readings, receivedAt: time, ...parked, resolve, refuse: resolve, fail: resolve };
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);

/** Queues whose stores end under control of the test. */
class QueuesFixture {
  isThrottled = true;
  shards = 1;
  readonly stored: { device: KnownDevice; times: number[]; end: () => void }[] = [];
  readonly queues = new DeviceQueues({
    isThrottled: () => this.isThrottled,
    shards: () => this.shards,
    store: (device, parcels, onEnd) => {
      const times = parcels.flatMap(({ readings }) => readings.map(({ time }) => time));
      let hasEnded = false;
      const end = () => {
        if (!hasEnded) onEnd?.();
        hasEnded = true;
      };
      this.stored.push({ device, times, end });
    },
  });

  add(from: number, to: number): void {
    for (let time = from; time < to; time++) this.queues.add(device, [aParcel(time)]);
  }

  get times(): number[] {
    return this.stored.flatMap(({ times }) => times);
  }

  endAll(): void {
    // Grows during the iteration.
    for (const { end } of this.stored) end();
  }
}

it('do not delay readings of devices that are not throttled', () => {
  const fixture = new QueuesFixture();
  fixture.isThrottled = false;
  fixture.add(0, 1000);
  expect(fixture.stored).toHaveLength(1000);
  expect(fixture.queues.holds('hot')).toBe(false);
});

it('send about a batch of a throttled device at a time, the others together, in order', () => {
  const fixture = new QueuesFixture();
  fixture.add(0, 200);
  const before = fixture.times.length;
  expect(before).toBeGreaterThan(10);
  expect(before).toBeLessThanOrEqual(25);
  expect(fixture.queues.loadOf('hot').oldest).toBe(before);
  expect(fixture.queues.loadOf('hot').arriving).toBeGreaterThan(20);
  expect(fixture.queues.loadOf('hot').leaving).toBe(0);
  fixture.stored[0]?.end();
  expect(fixture.queues.loadOf('hot').leaving).toBeGreaterThan(0);
  fixture.endAll();
  expect(fixture.times).toEqual(Array.from({ length: 200 }, (_, time) => time));
  expect(fixture.queues.holds('hot')).toBe(false);
  // Single parcels are sent in few batches, so that they share blocks.
  const parts = fixture.stored.slice(before);
  expect(parts.length).toBeLessThan((200 - before) / 8);
});

it('send more with more keys, and everything when throttling ends', () => {
  const fixture = new QueuesFixture();
  fixture.shards = 4;
  fixture.add(0, 300);
  expect(fixture.times.length).toBeGreaterThan(40);
  expect(fixture.times.length).toBeLessThanOrEqual(100);
  for (const { end } of fixture.stored.slice(0, 60)) end();
  // At most a batch: a larger request ends when the slowest of its keys has accepted its part.
  const parts = fixture.stored.map(({ times }) => times.length);
  expect(Math.max(...parts)).toBeGreaterThan(10);
  expect(Math.max(...parts)).toBeLessThanOrEqual(25);
  fixture.isThrottled = false;
  fixture.stored.at(-1)?.end();
  expect(fixture.times).toHaveLength(300);
});

it('store parked parcels after all others, in order', () => {
  const fixture = new QueuesFixture();
  const parcels = Array.from({ length: 100 }, (_, time) => aParcel(time));
  fixture.queues.add(device, parcels);
  const before = fixture.times.length;
  for (const parcel of parcels.slice(0, 60)) parcel.isParked = true;
  fixture.endAll();
  expect(fixture.times.slice(before)).toEqual([...numbers(60, 100), ...numbers(before, 60)]);
});

it('drop parcels that are left to the table', () => {
  const fixture = new QueuesFixture();
  const parcels = Array.from({ length: 100 }, (_, time) => aParcel(time));
  fixture.queues.add(device, parcels);
  const before = fixture.times.length;
  for (const parcel of parcels.slice(30, 60))
    Object.assign(parcel, { isParked: true, isSpilled: true });
  fixture.endAll();
  expect(fixture.times.slice(before)).toEqual([...numbers(before, 30), ...numbers(60, 100)]);
  expect(fixture.queues.holds('hot')).toBe(false);
});

it('do not count parked parcels as arriving', () => {
  const fixture = new QueuesFixture();
  fixture.queues.add(
    device,
    Array.from({ length: 100 }, (_, time) => ({ ...aParcel(time), isParked: true })),
  );
  expect(fixture.queues.loadOf('hot').arriving).toBe(0);
});

it('send a parcel that exceeds the limit', () => {
  const fixture = new QueuesFixture();
  fixture.queues.add(device, [aParcel(0, 100_000)]);
  fixture.queues.add(device, [aParcel(1, 100_000)]);
  expect(fixture.times).toEqual([0]);
  fixture.endAll();
  expect(fixture.times).toEqual([0, 1]);
  expect(fixture.queues.holds('hot')).toBe(false);
  expect(fixture.queues.loadOf('hot')).toEqual({
    arriving: 0,
    leaving: 0,
    ageMs: 0,
    oldest: Infinity,
  });
});

it('use the new shards of a device that was registered again', () => {
  const fixture = new QueuesFixture();
  fixture.add(0, 100);
  const before = fixture.stored.length;
  const again = { ...device };
  fixture.queues.add(again, [aParcel(100)]);
  fixture.endAll();
  expect(fixture.stored.slice(before).every((store) => store.device === again)).toBe(true);
  expect(fixture.times).toHaveLength(101);
});
