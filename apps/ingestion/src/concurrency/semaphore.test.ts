import { Semaphore } from './semaphore.ts';

const never = new AbortController().signal;

/** Waits until all settled promises have been handled. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol();
  return (await Promise.race([promise, turn().then(() => pending)])) === pending;
}

describe('a semaphore', () => {
  it('serves waiters in the order of their calls and never exceeds its capacity', async () => {
    const semaphore = new Semaphore(10);
    const release = await semaphore.acquire(6, never);
    const granted: string[] = [];
    const large = semaphore.acquire(8, never).then((done) => (granted.push('large'), done));
    const small = semaphore.acquire(1, never).then((done) => (granted.push('small'), done));
    await turn();
    expect(granted).toEqual([]); // the small one would fit, but then large ones could wait without end
    release();
    await Promise.all([large, small]);
    expect(granted).toEqual(['large', 'small']);
    const [free, one] = [await semaphore.acquire(1, never), semaphore.acquire(1, never)];
    expect(await isPending(one)).toBe(true);
    for (const done of [await large, await small, free]) done();
    (await one)();
    await semaphore.acquire(10, never);
  });

  it('gives all units to a waiter that requests more than the capacity', async () => {
    const semaphore = new Semaphore(10);
    const release = await semaphore.acquire(Infinity, never);
    const next = semaphore.acquire(1, never);
    expect(await isPending(next)).toBe(true);
    release();
    (await next)();
    await semaphore.acquire(10, never);
  });

  it('does not wait for an aborted waiter', async () => {
    const semaphore = new Semaphore(10);
    await semaphore.acquire(5, never);
    const impatient = new AbortController();
    const large = semaphore.acquire(8, impatient.signal);
    const small = semaphore.acquire(5, never);
    impatient.abort(new Error('given up'));
    await expect(large).rejects.toThrow('given up');
    await small;
    expect(await isPending(semaphore.acquire(1, never))).toBe(true);
  });
});
