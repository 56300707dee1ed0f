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

it('counts the CPU of tasks of main threads of pages only', () => {
  const traceEvents = [
    thread(1, 'CrRendererMain'),
    thread(2, 'Compositor'),
    task(1, 1500),
    task(1, 500),
    task(1),
    task(2, 90_000),
    { name: 'FunctionCall', pid: 1, tid: 1, tdur: 1400 }, // a part of a task
  ];
  const trace = Buffer.from(JSON.stringify({ traceEvents }));
  expect(taskTimes(trace)).toEqual({ cpuMs: 2, longestMs: 1.5 });
});
