import { EntityQueue } from './entity-queue.ts';
import type { Key } from '@engawa/keys';

const key = (name: string): Key => ({ pk: name, sk: name });
/** Runs all pending microtasks. */
const turns = async () => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
};

describe('the queue of writes to entities', () => {
  let log: string[];
  let queue: EntityQueue;
  const ends = new Map<string, () => void>();
  beforeEach(() => {
    log = [];
    queue = new EntityQueue();
  });

  /** Work that runs until `end` is called with its name. */
  const work = (name: string) => () => {
    log.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await turns();
  };

  it('runs exclusive writes of one entity one after the other', async () => {
    const first = queue.exclusive([key('a'), key('b')], work('ab'));
    void queue.exclusive([key('b'), key('c')], work('bc'));
    void queue.exclusive([key('c'), key('a')], work('ca'));
    void queue.exclusive([key('d'), key('d')], work('d'));
    await turns();
    expect(log).toEqual(['ab', 'd']);
    await end('ab');
    expect(await first).toBe('ab');
    expect(log).toEqual(['ab', 'd', 'bc']);
    await end('bc');
    expect(log).toEqual(['ab', 'd', 'bc', 'ca']);
    await end('ca');
    await end('d');
  });

  it('continues after a failed write', async () => {
    const failed = queue.exclusive([key('a')], () => Promise.reject(new Error('no')));
    const next = queue.exclusive([key('a')], () => Promise.resolve('next'));
    const last = queue.exclusive([key('a')], () => Promise.resolve('last'));
    await expect(failed).rejects.toThrow('no');
    expect(await Promise.all([next, last])).toEqual(['next', 'last']);
  });

  it('releases the memory of completed writes', async () => {
    for (let index = 0; index < 1000; index++) {
      await queue.exclusive([key(`e${index}`)], () => Promise.resolve(index));
    }
    await turns();
    expect(queue.size).toBe(0);
  });
});
