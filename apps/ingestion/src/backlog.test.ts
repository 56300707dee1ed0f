import { Backlog } from './backlog.ts';
import type { KnownDevice } from './device-register.ts';
import type { Parcel } from './packer.ts';

const device: KnownDevice = {
  id: 'hot',
  kind: 'climate',
  span: 0,
  lastSeenAt: 0,
  place: undefined,
  shards: [],
  oldestWritten: Infinity,
};

/** Of one reading with so many bytes of text. */
function aParcel(time: number, bytes = 1000): Parcel {
  const readings = [{ time, fields: { text: 'x'.repeat(bytes) } }];
  return { readings, settle: () => undefined, refuse: () => undefined };
}

/** A backlog whose stores end when they are told to. */
class Scene {
  isThrottled = true;
  shards = 1;
  readonly stored: { device: KnownDevice; times: number[]; end: () => Promise<void> }[] = [];
  readonly backlog = new Backlog({
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
    for (let time = from; time < to; time++) this.backlog.add(device, [aParcel(time)]);
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
  expect(scene.backlog.holds('hot')).toBe(false);
});

it('gives the table about a batch of a throttled device at a time, the others together, in order', async () => {
  const scene = new Scene();
  scene.add(0, 200);
  const before = scene.times.length;
  expect(before).toBeGreaterThan(10);
  expect(before).toBeLessThanOrEqual(25);
  expect(scene.backlog.waitingOf('hot').oldest).toBe(before);
  expect(scene.backlog.waitingOf('hot').arriving).toBeGreaterThan(20);
  await scene.endAll();
  expect(scene.times).toEqual(Array.from({ length: 200 }, (_, time) => time));
  expect(scene.backlog.holds('hot')).toBe(false);
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
  scene.isThrottled = false;
  await scene.stored[0]?.end();
  expect(scene.times).toHaveLength(300);
});

it('lets through what is larger than all there is room for', async () => {
  const scene = new Scene();
  scene.backlog.add(device, [aParcel(0, 100_000)]);
  scene.backlog.add(device, [aParcel(1, 100_000)]);
  expect(scene.times).toEqual([0]);
  await scene.endAll();
  expect(scene.times).toEqual([0, 1]);
  expect(scene.backlog.holds('hot')).toBe(false);
  expect(scene.backlog.waitingOf('hot')).toEqual({ arriving: 0, oldest: Infinity });
});

it('goes on with a device that has been registered again: the other never learns that there are more keys', async () => {
  const scene = new Scene();
  scene.add(0, 100);
  const before = scene.stored.length;
  const again = { ...device };
  scene.backlog.add(again, [aParcel(100)]);
  await scene.endAll();
  expect(scene.stored.slice(before).every((store) => store.device === again)).toBe(true);
  expect(scene.times).toHaveLength(101);
});
