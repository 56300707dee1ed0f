import { taskTimes } from './task-times.ts';

const thread = (tid: number, name: string) => ({
  name: 'thread_name',
  pid: 1,
  tid,
  args: { name },
});
const task = (tid: number, tdur?: number) => {
  return { name: 'ThreadControllerImpl::RunTask', pid: 1, tid, ...(tdur && { tdur }) };
};

it('counts the CPU of tasks of pages: of their main threads, and of all threads', () => {
  const traceEvents = [
    thread(1, 'CrRendererMain'),
    thread(2, 'Compositor'),
    task(1, 1500),
    task(1, 500),
    task(1),
    task(2, 90_000),
    { ...task(7, 5000), pid: 2 }, // of the browser
    { name: 'FunctionCall', pid: 1, tid: 1, tdur: 1400 }, // a part of a task
  ];
  const trace = Buffer.from(JSON.stringify({ traceEvents }));
  expect(taskTimes(trace)).toEqual({ cpuMs: 2, processMs: 92, longestMs: 1.5 });
});
