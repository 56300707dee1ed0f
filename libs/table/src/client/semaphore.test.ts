import { setImmediate as turn } from 'node:timers/promises';
import { Semaphore } from './semaphore.ts';

/** The numbers of the admitted callers, in order of admission. */
let admitted: number[];
let semaphore: Semaphore;

beforeEach(() => {
  admitted = [];
  semaphore = new Semaphore(2);
});

const enter = (number: number, signal?: AbortSignal) =>
  semaphore.acquire(signal).then(() => admitted.push(number));

it('admits callers up to the limit, then one per release, in order of arrival', async () => {
  for (let number = 1; number <= 5; number++) void enter(number);
  await turn();
  expect([admitted, semaphore.waiting]).toEqual([[1, 2], 3]);
  semaphore.release();
  await turn();
  expect(admitted).toEqual([1, 2, 3]);
  for (let count = 0; count < 4; count++) semaphore.release();
  await turn();
  expect([admitted, semaphore.waiting]).toEqual([[1, 2, 3, 4, 5], 0]);
});

it('removes a caller that aborts while it waits', async () => {
  const controller = new AbortController();
  const [, , third] = [enter(1), enter(2), enter(3, controller.signal), enter(4)];
  controller.abort();
  await expect(third).rejects.toMatchObject({ name: 'AbortError' });
  expect(semaphore.waiting).toBe(1);
  semaphore.release();
  await turn();
  expect(admitted).toEqual([1, 2, 4]);
  await expect(enter(5, controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
});

it('keeps the permit of a caller that aborts after its admission', async () => {
  const controller = new AbortController();
  await Promise.all([enter(1, controller.signal), enter(2)]);
  controller.abort();
  void enter(3);
  await turn();
  expect(admitted).toEqual([1, 2]);
});

it('rejects all waiting and all later callers once it is closed', async () => {
  const [, , waiting] = [enter(1), enter(2), enter(3)];
  semaphore.close();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  await expect(enter(4)).rejects.toMatchObject({ name: 'AbortError' });
});

it('serves many rounds with a constant number of waiting callers', async () => {
  for (let number = 1; number <= 20_000; number++) void enter(number);
  for (let number = 1; number <= 20_000; number++) semaphore.release();
  await turn();
  expect(admitted).toHaveLength(20_000);
  expect(admitted).toEqual(admitted.toSorted((left, right) => left - right));
  expect(semaphore.waiting).toBe(0);
});
