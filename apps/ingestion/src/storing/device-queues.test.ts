import { DeviceQueues } from './device-queues.ts';
import type { KnownDevice } from '../devices/device-register.ts';
import type { QueuedParcel } from './parcel.ts';

const device: KnownDevice = {
  id: 'hot',
  kind: 'climate',
  isKindNamed: false,
  isPending: false,
  blockSpan: 0,
  lastSeenAt: 0,
  place: undefined,
  shards: [],
  partitions: [],
  oldestWritten: Infinity,
  readAt: 0,
};

/** A parcel of one reading with so many bytes of text; it takes one write unit. */
function aParcel(
  time: number,
  bytes = 800,
): { -readonly [key in keyof QueuedParcel]: QueuedParcel[key] } {
  const readings = [{ time, fields: { text: 'x'.repeat(bytes) } }];
  const resolve = () => undefined;
  return { readings, isParked: false, isSpilled: false, resolve, refuse: resolve, fail: resolve };
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);

/** Queues whose stores end under control of the test. */
class Scene {
  isThrottled = true;
  shards = 1;
  readonly stored: { device: KnownDevice; times: number[]; end: () => Promise<void> }[] = [];
  readonly queues = new DeviceQueues({
    isThrottled: () => this.isThrottled,
    shards: () => this.shards,
    store: (device, parcels) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const times = parcels.flatMap(({ readings }) => readings.map(({ time }) => time));
      const end = async () => {
        resolve(undefined);
        await promise;
        await Promise.resolve();
      };
      this.stored.push({ device, times, end });
      return promise;
    },
  });

  add(from: number, to: number): void {
    for (let time = from; time < to; time++) this.queues.add(device, [aParcel(time)]);
  }

  get times(): number[] {
    return this.stored.flatMap(({ times }) => times);
  }

  async endAll(): Promise<void> {
    // Grows during the iteration.
    for (const { end } of this.stored) await end();
  }
}

it('do not delay readings of devices that are not throttled', () => {
  const scene = new Scene();
  scene.isThrottled = false;
  scene.add(0, 1000);
  expect(scene.stored).toHaveLength(1000);
  expect(scene.queues.holds('hot')).toBe(false);
});

it('send about a batch of a throttled device at a time, the others together, in order', async () => {
  const scene = new Scene();
  scene.add(0, 200);
  const before = scene.times.length;
  expect(before).toBeGreaterThan(10);
  expect(before).toBeLessThanOrEqual(25);
  expect(scene.queues.loadOf('hot').oldest).toBe(before);
  expect(scene.queues.loadOf('hot').arriving).toBeGreaterThan(20);
  expect(scene.queues.loadOf('hot').leaving).toBe(0);
  await scene.stored[0]?.end();
  expect(scene.queues.loadOf('hot').leaving).toBeGreaterThan(0);
  await scene.endAll();
  expect(scene.times).toEqual(Array.from({ length: 200 }, (_, time) => time));
  expect(scene.queues.holds('hot')).toBe(false);
  // Single parcels are sent in few batches, so that they share blocks.
  const parts = scene.stored.slice(before);
  expect(parts.length).toBeLessThan((200 - before) / 8);
});

it('send more with more keys, and everything when throttling ends', async () => {
  const scene = new Scene();
  scene.shards = 4;
  scene.add(0, 300);
  expect(scene.times.length).toBeGreaterThan(40);
  expect(scene.times.length).toBeLessThanOrEqual(100);
  for (const { end } of scene.stored.slice(0, 60)) await end();
  // At most a batch: a larger request ends when the slowest of its keys has accepted its part.
  const parts = scene.stored.map(({ times }) => times.length);
  expect(Math.max(...parts)).toBeGreaterThan(10);
  expect(Math.max(...parts)).toBeLessThanOrEqual(25);
  scene.isThrottled = false;
  await scene.stored.at(-1)?.end();
  expect(scene.times).toHaveLength(300);
});

it('store parked parcels after all others, in order', async () => {
  const scene = new Scene();
  const parcels = Array.from({ length: 100 }, (_, time) => aParcel(time));
  scene.queues.add(device, parcels);
  const before = scene.times.length;
  for (const parcel of parcels.slice(0, 60)) parcel.isParked = true;
  await scene.endAll();
  expect(scene.times.slice(before)).toEqual([...numbers(60, 100), ...numbers(before, 60)]);
});

it('drop parcels that are left to the table', async () => {
  const scene = new Scene();
  const parcels = Array.from({ length: 100 }, (_, time) => aParcel(time));
  scene.queues.add(device, parcels);
  const before = scene.times.length;
  for (const parcel of parcels.slice(30, 60))
    Object.assign(parcel, { isParked: true, isSpilled: true });
  await scene.endAll();
  expect(scene.times.slice(before)).toEqual([...numbers(before, 30), ...numbers(60, 100)]);
  expect(scene.queues.holds('hot')).toBe(false);
});

it('do not count parked parcels as arriving', () => {
  const scene = new Scene();
  scene.queues.add(
    device,
    Array.from({ length: 100 }, (_, time) => ({ ...aParcel(time), isParked: true })),
  );
  expect(scene.queues.loadOf('hot').arriving).toBe(0);
});

it('send a parcel that exceeds the limit', async () => {
  const scene = new Scene();
  scene.queues.add(device, [aParcel(0, 100_000)]);
  scene.queues.add(device, [aParcel(1, 100_000)]);
  expect(scene.times).toEqual([0]);
  await scene.endAll();
  expect(scene.times).toEqual([0, 1]);
  expect(scene.queues.holds('hot')).toBe(false);
  expect(scene.queues.loadOf('hot')).toEqual({
    arriving: 0,
    leaving: 0,
    ageMs: 0,
    oldest: Infinity,
  });
});

it('use the new shards of a device that was registered again', async () => {
  const scene = new Scene();
  scene.add(0, 100);
  const before = scene.stored.length;
  const again = { ...device };
  scene.queues.add(again, [aParcel(100)]);
  await scene.endAll();
  expect(scene.stored.slice(before).every((store) => store.device === again)).toBe(true);
  expect(scene.times).toHaveLength(101);
});
