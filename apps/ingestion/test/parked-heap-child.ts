// Prints how many bytes of heap a parked parcel of one reading takes; needs --expose-gc.
import { setTimeout as sleep } from 'node:timers/promises';
import { parkedBlockItem, parseParkedBlock } from '@engawa/model';
import { pino } from 'pino';
import { DeviceQueues } from '../src/storing/device-queues.ts';
import { ParkedBlocks } from '../src/storing/parking/parked-blocks.ts';
import { Parking } from '../src/storing/parking/parking.ts';
import { WorkSlicer } from '../src/concurrency/work-slicer.ts';
import type { Document, Reading } from '@engawa/model';
import type { KnownDevice } from '../src/devices/device-register.ts';
import type { QueuedParcel } from '../src/storing/parcel.ts';

const parcels = 20_000;
const start = Date.now() - parcels * 1000;
const { gc } = globalThis as unknown as { gc: () => void };

const device: KnownDevice = {
  ...{ id: 'living-room-climate', kind: 'climate', isKindNamed: false, isPending: false },
  ...{
    partitions: [],
    blockSpan: 0,
    shards: [],
    lastSeenAt: 0,
    ahead: undefined,
    notedAheadMs: undefined,
    place: undefined,
    oldestWritten: 0,
    readAt: 0,
    receivedAt: 0,
  },
};

/** As decoders make it of JSON. */
function readingOf(number: number): Reading {
  const fields = JSON.parse(`{"temperature":${number / 100}}`) as Reading['fields'];
  return { time: start + number * 1000, fields };
}

/** A parking with a device that is always throttled, and a table that accepts only parked blocks. */
function build() {
  const doNothing = () => undefined;
  const blocks = new ParkedBlocks({
    table: {
      query: () => Promise.reject(new Error('no query')),
      deleteAll: () => Promise.resolve(),
    },
    writer: { put: () => Promise.resolve() },
    metrics: { parked: doNothing, unparked: doNothing, queried: doNothing },
    slicer: new WorkSlicer(),
    replica: 'ingestion-0',
  });
  const isThrottled = () => true;
  const log = pino({ level: 'silent' });
  const parking = new Parking({ blocks, isThrottled, maxHeldBytes: Infinity, log });
  const queues = new DeviceQueues({ isThrottled, shards: () => 1, store: doNothing });
  return { parking, queues };
}

type Parts = ReturnType<typeof build>;

/** Of messages that arrive: parked together, as one group. */
async function park({ parking, queues }: Parts): Promise<void> {
  let waiting = 0;
  for (let number = 0; number < parcels; number++) {
    waiting += 1;
    const resolve = () => (waiting -= 1);
    const readings = [readingOf(number)];
    const parcel = { readings, receivedAt: start, resolve, refuse: resolve, fail: resolve };
    queues.add(device, parking.track(device, [parcel]));
  }
  // The timer of parking does not keep the process alive.
  while (waiting > 0) await sleep(10);
}

/** Of blocks that are read back from the table, or parked one by one: each is a group of its own. */
function adopt({ parking, queues }: Parts): void {
  for (let number = 0; number < parcels; number++) {
    const parked = { owner: 'ingestion-0', parkedAt: start, receivedAt: start };
    const item = parkedBlockItem(device.id, [readingOf(number)], parked);
    const block = parseParkedBlock(JSON.parse(JSON.stringify(item)) as Document);
    const adopted: QueuedParcel = parking.adopt(device, block);
    queues.add(device, [adopted]);
  }
}

function heapUsed(): number {
  for (let time = 0; time < 3; time++) gc();
  return process.memoryUsage().heapUsed;
}

async function measure(fill: (parts: Parts) => unknown): Promise<number> {
  const parts = build();
  const before = heapUsed();
  await fill(parts);
  const bytes = (heapUsed() - before) / parcels;
  if (!parts.queues.holds(device.id)) throw new Error('nothing is queued');
  return Math.round(bytes);
}

const result = { parked: await measure(park), adopted: await measure(adopt) };
process.stdout.write(JSON.stringify(result));
process.exit();
