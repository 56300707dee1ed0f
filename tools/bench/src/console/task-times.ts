/** An event of Chromium's trace format. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** CPU of the thread in microseconds. */
  tdur?: number;
  args?: { name?: string };
}

/** CPU of pages: waiting for a core, as on a busy machine, does not count. */
export interface TaskTimes {
  /** Of all tasks of the main threads. */
  cpuMs: number;
  /** Of all threads of the processes. */
  processMs: number;
  /** Of the longest task of the main threads. */
  longestMs: number;
}

/** @param trace with the category `toplevel` */
export function taskTimes(trace: Buffer): TaskTimes {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const mainThreads = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
  );
  const threads = new Set(mainThreads.map(threadOf));
  const processes = new Set(mainThreads.map(({ pid }) => pid));
  const tasks = traceEvents.filter(
    ({ name, pid }) => name.endsWith('RunTask') && processes.has(pid),
  );
  const tasksMs = tasks.filter((task) => threads.has(threadOf(task))).map(cpuOf);
  return {
    cpuMs: sum(tasksMs),
    processMs: sum(tasks.map(cpuOf)),
    longestMs: Math.max(0, ...tasksMs),
  };
}

function cpuOf({ tdur = 0 }: TraceEvent): number {
  return tdur / 1000;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
