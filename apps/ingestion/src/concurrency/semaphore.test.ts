import { Semaphore } from './semaphore.ts';

const never = new AbortController().signal;

/** Waits until everything that was settled has been noticed. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a semaphore', () => {
  it('is given first come, first served, and never exceeded', async () => {
    const semaphore = new Semaphore(10);
    const release = await semaphore.acquire(6, never);
    const granted: string[] = [];
    const large = semaphore.acquire(8, never).then((done) => (granted.push('large'), done));
    const small = semaphore.acquire(1, never).then((done) => (granted.push('small'), done));
    await turn();
    expect(granted).toEqual([]); // the small one would fit, but large ones would then wait for ever
    release();
    await Promise.all([large, small]);
    expect(granted).toEqual(['large', 'small']);
    expect(semaphore.taken).toBe(9);
    (await large)();
    (await small)();
    expect(semaphore.taken).toBe(0);
  });

  it('is given whole to who wants more than there is', async () => {
    const semaphore = new Semaphore(10);
    const release = await semaphore.acquire(Infinity, never);
    expect(semaphore.taken).toBe(10);
    release();
    expect(semaphore.taken).toBe(0);
  });

  it('is no longer waited for by who gives up, nor by those behind', async () => {
    const semaphore = new Semaphore(10);
    await semaphore.acquire(5, never);
    const impatient = new AbortController();
    const large = semaphore.acquire(8, impatient.signal);
    const small = semaphore.acquire(5, never);
    impatient.abort(new Error('given up'));
    await expect(large).rejects.toThrow('given up');
    await small;
    expect(semaphore.taken).toBe(10);
  });
});
