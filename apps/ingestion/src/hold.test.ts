import { until } from '@engawa/testing';
import { pino } from 'pino';
import { Hold } from './hold.ts';
import type { Held } from './hold.ts';

const device = 'hot';

/** A hold whose letters are kept, or cannot be, when they are told to. */
class Scene {
  readonly keeping: PromiseWithResolvers<undefined>[] = [];
  readonly released: [number, string][] = [];
  taken = 0;
  readonly hold: Hold;

  constructor({ limit = 0, window = 1000 } = {}) {
    this.hold = new Hold({
      deadLetters: {
        keep: () => {
          const keeping = Promise.withResolvers<undefined>();
          this.keeping.push(keeping);
          return keeping.promise;
        },
        takeBack: (letters) => {
          this.taken += letters.length;
          return Promise.resolve();
        },
      },
      isThrottled: (id) => id !== 'cold',
      limit,
      window,
      log: pino({ level: 'silent' }),
    });
  }

  add(number: number, { bytes = 10, from = device, age = 0 } = {}): Held {
    const message = {
      topic: `${number}`,
      payload: Buffer.alloc(bytes),
      qos: 1 as const,
      retained: false,
      duplicate: false,
      userProperties: undefined,
      receivedAt: Date.now() - age,
      release: () => undefined,
    };
    const release = (outcome: string) => this.released.push([number, outcome]);
    const held: Held = { message, device: from, release };
    this.hold.add(held);
    return held;
  }

  async keepAll(): Promise<void> {
    // Grows while it is walked through.
    for (const { resolve, promise } of this.keeping) {
      resolve(undefined);
      await promise;
      await Promise.resolve();
    }
  }
}

let scene: Scene;
afterEach(() => scene.hold.close());

const letters = (count: number) =>
  until(`${count} letters`, () => scene.keeping.length === count && scene.keeping.length);

it('acknowledges what is kept, and takes the letter back once it is stored', async () => {
  scene = new Scene();
  const held = scene.add(1);
  await letters(1);
  expect(scene.released).toEqual([]);
  await scene.keepAll();
  expect(scene.released).toEqual([[1, 'dead_lettered']]);
  expect(scene.taken).toBe(0);
  expect(scene.hold.settled(held)).toBe(false);
  await until('the letter to be taken back', () => scene.taken === 1);
});

it('takes a letter back that comes to be when its readings are stored already, and not before', async () => {
  scene = new Scene();
  const held = scene.add(1);
  await letters(1);
  expect(scene.hold.settled(held)).toBe(false);
  await scene.hold.close();
  expect(scene.taken).toBe(0);
  await scene.keepAll();
  await scene.hold.close();
  expect(scene.taken).toBe(1);
  expect(scene.released).toEqual([[1, 'dead_lettered']]);
});

it('acknowledges what could not be kept when it is stored, be that before or after', async () => {
  scene = new Scene();
  const [before, after] = [scene.add(1), scene.add(2)];
  await letters(2);
  expect(scene.hold.settled(before)).toBe(false);
  for (const { reject } of scene.keeping) reject(new Error('refused'));
  await until('the first to be released', () => scene.released.length > 0);
  expect(scene.released).toEqual([[1, 'stored']]);
  expect(scene.hold.settled(after)).toBe(true);
  await scene.hold.close();
  expect(scene.taken).toBe(0);
  expect(scene.keeping).toHaveLength(2);
});

it('leaves alone what is not throttled, not known yet, or too large', async () => {
  scene = new Scene({ limit: 0 });
  scene.add(1, { bytes: 16 * 1024 + 1 });
  delete scene.add(2).device;
  scene.add(3, { from: 'cold' });
  scene.add(4, { bytes: 16 * 1024 });
  // In the order of receipt: the others have been looked at.
  await letters(1);
  await scene.keepAll();
  expect(scene.released).toEqual([[4, 'dead_lettered']]);
});

it('holds a message for as long as it may, and less where others of its device were kept lately', async () => {
  scene = new Scene({ limit: 60_000 });
  scene.add(1, { age: 59_000 });
  scene.add(2, { age: 61_000 });
  await letters(1);
  scene.add(3, { age: 600 });
  scene.add(4, { age: 600, from: 'other' });
  // The first, too, has waited for longer than is waited now.
  await letters(3);
  expect(scene.keeping).toHaveLength(3);
});

it('waits for nothing where half of the window is held', async () => {
  scene = new Scene({ limit: 60_000, window: 12 });
  for (let number = 0; number < 5; number++) scene.add(number);
  scene.add(5, { from: 'other', age: 61_000 });
  await letters(1);
  await scene.keepAll();
  expect(scene.released).toEqual([[5, 'dead_lettered']]);
  scene.add(6);
  scene.add(7);
  await until('more letters', () => scene.keeping.length > 1);
});

it('waits again once what was held is stored, or kept', async () => {
  scene = new Scene({ limit: 60_000, window: 8 });
  const stored = Array.from({ length: 20 }, (_, number) => scene.add(number));
  for (const held of stored) expect(scene.hold.settled(held)).toBe(true);
  for (let number = 20; number < 40; number++) scene.add(number, { from: 'kept', age: 61_000 });
  await letters(20);
  await scene.keepAll();
  scene.add(40);
  scene.add(41, { from: 'other', age: 61_000 });
  await letters(21);
  await scene.keepAll();
  expect(scene.released.map(([number]) => number)).not.toContain(40);
});

it('has room for others where letters could not be kept', async () => {
  scene = new Scene();
  const bytes = 16 * 1024;
  for (let number = 0; number < 1100; number++) scene.add(number, { bytes });
  await letters(50);
  // Grows while it is walked through.
  for (const { promise, reject } of scene.keeping) {
    reject(new Error('refused'));
    await promise.catch(() => undefined);
    await Promise.resolve();
  }
  await letters(1100);
});

it('writes so many letters at once, and has no more than so many bytes in memory', async () => {
  scene = new Scene();
  const bytes = 16 * 1024;
  const held = Array.from({ length: 1100 }, (_, number) => scene.add(number, { bytes }));
  await letters(50);
  await scene.keepAll();
  await letters(1024);
  await scene.keepAll();
  expect(scene.keeping).toHaveLength(1024);
  for (const one of held.slice(0, 10)) scene.hold.settled(one);
  await letters(1034);
});
