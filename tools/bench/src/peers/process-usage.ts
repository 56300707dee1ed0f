import { readdirSync, readFileSync } from 'node:fs';
import { OperatorError } from '@engawa/errors';

/** Resources of a process and its descendants since their start. */
export interface ProcessUsage {
  /** Microseconds of CPU in user and kernel mode. */
  cpu: number;
  /** Bytes: the sum of the processes' maximum resident sets. */
  peakMemory: number;
}

/** The fields of /proc/[pid]/stat that are used (proc_pid_stat(5)). */
export interface ProcessTimes {
  parent: number;
  /** Microseconds of CPU, including descendants that have ended and were waited for. */
  cpu: number;
}

/** Linux counts 100 clock ticks per second towards user space on all platforms (USER_HZ). */
const microsecondsPerTick = 10_000;

export function parseStat(text: string): ProcessTimes {
  // The second field is the name, in parentheses; it may contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const numberAt = (position: number): number => Number(fields[position - 3]);
  const ticks = [14, 15, 16, 17].map(numberAt).reduce((sum, value) => sum + value, 0);
  return { parent: numberAt(4), cpu: ticks * microsecondsPerTick };
}

/** @returns the process and its descendants */
export function familyOf(pid: number, parents: ReadonlyMap<number, number>): number[] {
  const children = [...parents].filter(([, parent]) => parent === pid).map(([child]) => child);
  return [pid, ...children.flatMap((child) => familyOf(child, parents))];
}

/** @throws OperatorError where /proc does not exist */
export function usageOf(pid: number): ProcessUsage {
  const processes = new Map<number, ProcessTimes>();
  for (const each of pids()) {
    const text = read(`/proc/${each}/stat`);
    if (text !== undefined) processes.set(each, parseStat(text));
  }
  const parents = new Map([...processes].map(([each, { parent }]) => [each, parent]));
  const family = familyOf(pid, parents);
  const sum = (value: (each: number) => number): number =>
    family.reduce((total, each) => total + value(each), 0);
  return { cpu: sum((each) => processes.get(each)?.cpu ?? 0), peakMemory: sum(peakMemoryOf) };
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch (cause) {
    throw new OperatorError('peers are measured in /proc, which only Linux has', { cause });
  }
}

function peakMemoryOf(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** undefined if the process has ended meanwhile */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
