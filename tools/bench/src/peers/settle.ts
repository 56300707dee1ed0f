import { setTimeout as sleep } from 'node:timers/promises';
import { usageOf } from './process-usage.ts';
import type { RunningProcess } from '@engawa/embedded';
import type { ProcessUsage } from './process-usage.ts';

/** A process that uses less than this share of a core over the window is idle. */
const idleShare = 0.03;
const windowMs = 2000;
const pollMs = 100;

interface Sample {
  /** Milliseconds. */
  at: number;
  usage: ProcessUsage;
}

/**
 * Waits until the process is idle.
 * @returns its usage then; the CPU of the idle window is included, because a part of it may be work
 * @throws Error with its output if it ends
 */
export async function untilIdle(process: RunningProcess): Promise<ProcessUsage> {
  const samples: Sample[] = [];
  for (;;) {
    if (!process.isRunning) throw new Error(`a peer ended: ${process.output.slice(-2000)}`);
    const now = { at: performance.now(), usage: usageOf(process.pid) };
    samples.push(now);
    const first = samples.findLast(({ at }) => at <= now.at - windowMs);
    if (first !== undefined) {
      const used = now.usage.cpu - first.usage.cpu;
      if (used <= idleShare * (now.at - first.at) * 1000) {
        return now.usage;
      }
      samples.splice(0, samples.indexOf(first));
    }
    await sleep(pollMs);
  }
}

export interface Attempts<Result> {
  /** Reads the stored state. */
  check: () => Promise<Result>;
  /** Missing readings in it. */
  missing: (result: Result) => number;
}

/** Idle periods without a further stored reading after which missing readings count as lost. */
const staleAttempts = 3;

/**
 * Waits until the process is idle and nothing is missing, or until several idle periods passed without progress.
 * @returns usage at the end of the work, and the last state
 */
export async function untilStored<Result>(
  process: RunningProcess,
  { check, missing }: Attempts<Result>,
): Promise<{ usage: ProcessUsage; result: Result }> {
  let least = Infinity;
  let stale = 0;
  for (;;) {
    const usage = await untilIdle(process);
    const result = await check();
    const count = missing(result);
    stale = count < least ? 0 : stale + 1;
    least = Math.min(least, count);
    if (count === 0 || stale === staleAttempts) return { usage, result };
  }
}
