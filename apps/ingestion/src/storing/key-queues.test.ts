import { KeyQueues } from './key-queues.ts';
import type { KnownDevice } from '../devices/device-register.ts';
import type { QueuedParcel } from './parcel.ts';

const device: KnownDevice = {
  id: 'hot',
  kind: 'climate',
  isKindNamed: false,
  isPending: false,
  span: 0,
  lastSeenAt: 0,
  place: undefined,
  shards: [],
  partitions: [],
  oldestWritten: Infinity,
  readAt: 0,
};

/** Of one reading with so many bytes of text: with these it takes a unit. */
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

/** Queues whose stores end when they are told to. */
class Scene {
  isThrottled = true;
  shards = 1;
  readonly stored: { device: KnownDevice; times: number[]; end: () => Promise<void> }[] = [];
  readonly queues = new KeyQueues({
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
    // Grows while it is walked through.
    for (const { end } of this.stored) await end();
  }
}

it('holds nothing back where nothing is throttled', () => {
  const scene = new Scene();
  scene.isThrottled = false;
  scene.add(0, 1000);
  expect(scene.stored).toHaveLength(1000);
  expect(scene.queues.holds('hot')).toBe(false);
});

it('gives the table about a batch of a throttled device at a time, the others together, in order', async () => {
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
  // What came one by one goes in few parts: those share blocks.
  const parts = scene.stored.slice(before);
  expect(parts.length).toBeLessThan((200 - before) / 8);
});

it('gives it more where there are more keys, and everything once it is throttled no more', async () => {
  const scene = new Scene();
  scene.shards = 4;
  scene.add(0, 300);
  expect(scene.times.length).toBeGreaterThan(40);
  expect(scene.times.length).toBeLessThanOrEqual(100);
  for (const { end } of scene.stored.slice(0, 60)) await end();
  // None larger than a batch: it ends when the slowest of its keys has taken it.
  const parts = scene.stored.map(({ times }) => times.length);
  expect(Math.max(...parts)).toBeGreaterThan(10);
  expect(Math.max(...parts)).toBeLessThanOrEqual(25);
  scene.isThrottled = false;
  await scene.stored.at(-1)?.end();
  expect(scene.times).toHaveLength(300);
});

it('stores parked parcels after all others, in order', async () => {
  const scene = new Scene();
  const parcels = Array.from({ length: 100 }, (_, time) => aParcel(time));
  scene.queues.add(device, parcels);
  const before = scene.times.length;
  for (const parcel of parcels.slice(0, 60)) parcel.isParked = true;
  await scene.endAll();
  expect(scene.times.slice(before)).toEqual([...numbers(60, 100), ...numbers(before, 60)]);
});

it('forgets parcels that are left to the table', async () => {
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

it('does not count what was parked before as arriving', () => {
  const scene = new Scene();
  scene.queues.add(
    device,
    Array.from({ length: 100 }, (_, time) => ({ ...aParcel(time), isParked: true })),
  );
  expect(scene.queues.loadOf('hot').arriving).toBe(0);
});

it('lets through what is larger than all there is room for', async () => {
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

it('goes on with a device that has been registered again: the other never learns that there are more keys', async () => {
  const scene = new Scene();
  scene.add(0, 100);
  const before = scene.stored.length;
  const again = { ...device };
  scene.queues.add(again, [aParcel(100)]);
  await scene.endAll();
  expect(scene.stored.slice(before).every((store) => store.device === again)).toBe(true);
  expect(scene.times).toHaveLength(101);
});
