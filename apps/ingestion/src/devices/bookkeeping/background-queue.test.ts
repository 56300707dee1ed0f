import { setImmediate as turn } from 'node:timers/promises';
import { Problem } from '@engawa/errors';
import { ItemRejected } from '@engawa/table';
import { until } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { BackgroundQueue } from './background-queue.ts';
import { BookkeepingMetrics } from './bookkeeping-metrics.ts';

const throttled = new Problem('table-throttled', 'throttled');
const conflict = new Problem('too-many-conflicts', 'other writers were first');
const never = new AbortController().signal;

/** A queue of numbers that keeps the largest of a key, and the outcomes. */
class QueueFixture {
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

let fixture: QueueFixture;
beforeEach(() => (fixture = new QueueFixture()));

describe('the background queue', () => {
  it('limits the number of concurrent tasks', async () => {
    for (let number = 0; number < 50; number++) fixture.add(`key-${number}-`, 1);
    await fixture.queue.close(never);
    expect(fixture.attempts).toHaveLength(50);
    expect(fixture.most).toBe(2);
  });

  it('merges tasks that are added while a task of the same key runs', async () => {
    for (const value of [1, 4, 2, 3]) fixture.add('a', value);
    await fixture.queue.close(never);
    expect(fixture.attempts).toEqual(['a1', 'a4']);
  });

  it.each([
    ['is throttled', throttled],
    ['loses to other writers', conflict],
  ])('retries a task that %s, merged with later ones, while other keys go on', async (_, error) => {
    let isThrottled = true;
    fixture.outcome = (key) => {
      return key === 'a' && isThrottled ? Promise.reject(error) : Promise.resolve(undefined);
    };
    fixture.add('a', 1);
    await until('an attempt', () => fixture.attempts.length === 1);
    fixture.add('a', 2);
    for (const key of ['b', 'c', 'd']) fixture.add(key, 1);
    await until('a retry', () => fixture.attempts.includes('a2'));
    expect(fixture.attempts).toEqual(expect.arrayContaining(['b1', 'c1', 'd1']));
    isThrottled = false;
    await fixture.queue.close(never);
    expect(fixture.attempts.at(-1)).toBe('a2');
    expect(await fixture.counted('retried')).toBeGreaterThan(0);
    expect(await fixture.counted('dropped')).toBe(0);
  });

  it('runs the remaining task later', async () => {
    fixture.outcome = (key, value) =>
      Promise.resolve(value < 3 ? { key, value: value + 1 } : undefined);
    fixture.add('a', 1);
    await fixture.queue.close(never);
    expect(fixture.attempts).toEqual(['a1', 'a2', 'a3']);
  });

  it('drops a permanently rejected task, once', async () => {
    fixture.outcome = () => Promise.reject(new ItemRejected('invalid', 'no'));
    fixture.add('a', 1);
    fixture.add('b', 1);
    await fixture.queue.close(never);
    expect(fixture.attempts).toEqual(['a1', 'b1']);
    expect(await fixture.counted('dropped')).toBe(2);
  });

  it('ends at its signal, and accepts no more tasks', async () => {
    fixture.outcome = () => Promise.reject(throttled);
    fixture.add('a', 1);
    const enough = new AbortController();
    const closed = fixture.queue.close(enough.signal);
    await until('some attempts', () => fixture.attempts.length > 3);
    enough.abort();
    await closed;
    const attempts = fixture.attempts.length;
    fixture.add('b', 1);
    await turn();
    expect(fixture.attempts.filter((attempt) => attempt.startsWith('b'))).toEqual([]);
    expect(fixture.attempts.length).toBeLessThanOrEqual(attempts + 1);
  });
});
