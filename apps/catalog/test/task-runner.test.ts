import { once } from 'node:events';
import { catalogTaskKey } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import { until } from '@engawa/testing';
import pino from 'pino';
import { taskOf, taskRunner } from '../src/tasks/task-runner.ts';
import { startTable } from './table.ts';
import { tasksOf } from './types.ts';
import type { Task, TaskHandler, TaskRunner } from '../src/tasks/task-runner.ts';
import type { StartedTable } from './table.ts';

describe('an unfinished task', () => {
  let started: StartedTable;
  const runners: TaskRunner[] = [];
  beforeEach(async () => (started = await startTable()));
  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.close();
    await started.close();
  });

  function runnerOf(handlers: Record<string, TaskHandler>, intervalMs = 600_000): TaskRunner {
    const runner = taskRunner({
      table: started.table,
      log: pino({ enabled: false }),
      handlers: new Map(Object.entries(handlers)),
      intervalMs,
    });
    runners.push(runner);
    return runner;
  }

  async function putTask(kind: string, ...segments: string[]): Promise<Task> {
    const item = { ...catalogTaskKey(kind, ...segments), note: segments.join() };
    await started.table.put(item);
    return taskOf(item);
  }

  const left = async () => (await tasksOf(started.table)).map((item) => keyOf(item).sk);

  it('is run once at the start of a replica', async () => {
    for (let index = 0; index < 20; index++) await putTask('A', `x#${index}`);
    const notes: unknown[] = [];
    const runner = runnerOf({
      A: async ({ kind, segments, item }) => {
        await Promise.resolve();
        notes.push([kind, ...segments, item['note']]);
        return 'done';
      },
    });
    await runner.start();
    await until('all of it to be done', async () => (await left()).length === 0);
    expect(notes).toHaveLength(20);
    expect(notes).toContainEqual(['A', 'x#7', 'x#7']);
  });

  it('does not wait for tasks of another kind, or unreadable or failing tasks', async () => {
    await started.table.put({ pk: 'TASKS#CATALOG', sk: 'A', note: 'of no thing' });
    for (const kind of ['UNKNOWN', 'FAILS', 'SLOW', 'SLOW2']) {
      for (let index = 0; index < 6; index++) await putTask(kind, String(index));
    }
    await putTask('Z', 'last');
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const runner = runnerOf({
      FAILS: () => Promise.reject(new Error('cannot')),
      SLOW: async (_, signal) => {
        await Promise.race([released, once(signal, 'abort')]);
        return 'done';
      },
      Z: () => Promise.resolve('done'),
    });
    await runner.start();
    await until('the last task to end', async () => !(await left()).includes('Z#last'));
    expect((await left()).filter((sk) => /^(UNKNOWN|FAILS|SLOW)#/.test(sk))).toHaveLength(18);
    release(undefined);
    await until('the slow tasks to end', async () => {
      return (await left()).every((sk) => !sk.startsWith('SLOW#'));
    });
  });

  it('is retried at a later poll, or when the handler says', async () => {
    await putTask('A', 'fails');
    await putTask('A', 'later');
    await putTask('A', 'soon');
    const calls = new Map<string, number>();
    const handler: TaskHandler = ({ segments: [name = ''] }) => {
      const call = (calls.get(name) ?? 0) + 1;
      calls.set(name, call);
      if (call === 3) return Promise.resolve('done');
      if (name === 'fails') return Promise.reject(new Error('cannot'));
      return Promise.resolve(name === 'soon' ? { retryMs: 10 } : 'later');
    };
    const retrying = runnerOf({ A: handler });
    await retrying.start();
    await until('the repeated task to end', async () => !(await left()).includes('A#soon'));
    expect(Object.fromEntries(calls)).toEqual({ fails: 1, later: 1, soon: 3 });
    await retrying.close();
    await runnerOf({ A: handler }, 10).start();
    await until('all to be done', async () => (await left()).length === 0);
    expect(Object.fromEntries(calls)).toEqual({ fails: 3, later: 3, soon: 3 });
  });

  it('is run immediately on the replica that begins it, one run at a time', async () => {
    let running = 0;
    let maxRunning = 0;
    let calls = 0;
    const handler: TaskHandler = async () => {
      calls++;
      maxRunning = Math.max(maxRunning, ++running);
      await started.table.get({ pk: 'x', sk: 'x' });
      running--;
      return calls < 5 ? 'later' : 'done';
    };
    const runner = runnerOf({ A: handler }, 5);
    await runner.start();
    const task = await putTask('A', '1');
    for (let times = 0; times < 3; times++) runner.begin(task);
    expect(calls).toBe(1);
    await until('the task to end', async () => (await left()).length === 0);
    expect(maxRunning).toBe(1);
  });

  it('is kept after a close, and no other task is started', async () => {
    const [first, second] = [await putTask('A', '1'), await putTask('A', '2')];
    const reasons: unknown[] = [];
    const runner = runnerOf({
      A: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            reject(new Error('aborted'));
          });
        }),
    });
    runner.begin(first);
    await runner.close();
    expect(reasons).toHaveLength(1);
    runner.begin(second);
    await runner.start();
    expect(reasons).toHaveLength(1);
    expect(await left()).toEqual(['A#1', 'A#2']);
  });
});
