import { setImmediate as turn } from 'node:timers/promises';
import { Problem } from '@engawa/errors';
import { ItemRejected } from '@engawa/table';
import { until } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { BackgroundQueue } from './background-queue.ts';
import { BookkeepingMetrics } from './bookkeeping-metrics.ts';

const throttled = new Problem('table-throttled', 'throttled');
const never = new AbortController().signal;

/** A queue of numbers that keeps the largest of a key, and the outcomes. */
class Scene {
  /** Keys and numbers, in the order of their attempts. */
  readonly attempts: string[] = [];
  running = 0;
  most = 0;
  outcome: (key: string, value: number) => Promise<Task | undefined> = () =>
    Promise.resolve(undefined);
  readonly registry = new Registry();
  readonly queue = new BackgroundQueue<Task>({
    what: 'event',
    concurrency: 2,
    run: (task) => this.#run(task),
    merge: (older, newer) => (older.value > newer.value ? older : newer),
    metrics: new BookkeepingMetrics(this.registry),
    log: pino({ level: 'silent' }),
  });

  add(key: string, value: number): void {
    this.queue.add(key, { key, value });
  }

  async counted(outcome: string): Promise<number> {
    const metric = await this.registry.getSingleMetric('engawa_ingest_bookkeeping_total')?.get();
    const sample = metric?.values.find(({ labels }) => labels['outcome'] === outcome);
    return sample?.value ?? 0;
  }

  async #run({ key, value }: Task): Promise<Task | undefined> {
    this.attempts.push(`${key}${value}`);
    this.most = Math.max(this.most, ++this.running);
    try {
      await turn();
      return await this.outcome(key, value);
    } finally {
      this.running -= 1;
    }
  }
}

interface Task {
  key: string;
  value: number;
}

let scene: Scene;
beforeEach(() => (scene = new Scene()));

describe('the background queue', () => {
  it('limits the number of concurrent tasks', async () => {
    for (let number = 0; number < 50; number++) scene.add(`key-${number}-`, 1);
    await scene.queue.close(never);
    expect(scene.attempts).toHaveLength(50);
    expect(scene.most).toBe(2);
  });

  it('merges tasks that are added while a task of the same key runs', async () => {
    for (const value of [1, 4, 2, 3]) scene.add('a', value);
    await scene.queue.close(never);
    expect(scene.attempts).toEqual(['a1', 'a4']);
  });

  it('retries a throttled task, merged with later ones, while other keys continue', async () => {
    let isThrottled = true;
    scene.outcome = (key) => {
      return key === 'a' && isThrottled ? Promise.reject(throttled) : Promise.resolve(undefined);
    };
    scene.add('a', 1);
    await until('an attempt', () => scene.attempts.length === 1);
    scene.add('a', 2);
    for (const key of ['b', 'c', 'd']) scene.add(key, 1);
    await until('a retry', () => scene.attempts.includes('a2'));
    expect(scene.attempts).toEqual(expect.arrayContaining(['b1', 'c1', 'd1']));
    isThrottled = false;
    await scene.queue.close(never);
    expect(scene.attempts.at(-1)).toBe('a2');
    expect(await scene.counted('retried')).toBeGreaterThan(0);
    expect(await scene.counted('dropped')).toBe(0);
  });

  it('runs the remaining task later', async () => {
    scene.outcome = (key, value) =>
      Promise.resolve(value < 3 ? { key, value: value + 1 } : undefined);
    scene.add('a', 1);
    await scene.queue.close(never);
    expect(scene.attempts).toEqual(['a1', 'a2', 'a3']);
  });

  it('drops a permanently rejected task, once', async () => {
    scene.outcome = () => Promise.reject(new ItemRejected('invalid', 'no'));
    scene.add('a', 1);
    scene.add('b', 1);
    await scene.queue.close(never);
    expect(scene.attempts).toEqual(['a1', 'b1']);
    expect(await scene.counted('dropped')).toBe(2);
  });

  it('ends at its signal, and accepts no more tasks', async () => {
    scene.outcome = () => Promise.reject(throttled);
    scene.add('a', 1);
    const enough = new AbortController();
    const closed = scene.queue.close(enough.signal);
    await until('some attempts', () => scene.attempts.length > 3);
    enough.abort();
    await closed;
    const attempts = scene.attempts.length;
    scene.add('b', 1);
    await turn();
    expect(scene.attempts.filter((attempt) => attempt.startsWith('b'))).toEqual([]);
    expect(scene.attempts.length).toBeLessThanOrEqual(attempts + 1);
  });
});
