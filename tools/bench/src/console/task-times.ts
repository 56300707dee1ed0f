/** An event of Chromium's trace format. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** CPU of the thread in microseconds. */
  tdur?: number;
  args?: { name?: string };
}

/** CPU of the main threads of pages: waiting for a core, as on a busy machine, does not count. */
export interface TaskTimes {
  /** Of all tasks. */
  cpuMs: number;
  /** Of the longest task. */
  longestMs: number;
}

/** @param trace with the category `toplevel` */
export function taskTimes(trace: Buffer): TaskTimes {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasksMs = traceEvents
    .filter((event) => event.name.endsWith('RunTask') && mainThreads.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1000);
  return {
    cpuMs: tasksMs.reduce((sum, one) => sum + one, 0),
    longestMs: Math.max(0, ...tasksMs),
  };
}
