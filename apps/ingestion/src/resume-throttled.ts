import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@engawa/errors';
import { Budget } from './budget.ts';
import type { DayPage, DayPosition, DeadLetterRow, DeadLetters } from './dead-letters.ts';
import type { Pipeline } from './pipeline.ts';

export interface ResumeOptions {
  letters: Pick<DeadLetters, 'page' | 'find' | 'remove'>;
  pipeline: Pick<Pipeline, 'replay'>;
  signal: AbortSignal;
}

const day = 86_400_000;

/** Letters of one Query. */
const pageItems = 100;

/** Letters that are in memory: they are stored at the same time, so that those of a hot device share blocks. */
const atOnce = 1000;

/** Milliseconds until the table is asked again. */
const retryDelay = 1000;

/**
 * Stores what a process before this one had kept because of throttling, and did not come to store. Of today and yesterday;
 * older letters wait for somebody to replay them. @returns how many are stored now
 */
export async function resumeThrottled(options: ResumeOptions): Promise<number> {
  const { signal } = options;
  const budget = new Budget(atOnce);
  const resuming: Promise<boolean>[] = [];
  for (const time of [Date.now(), Date.now() - day]) {
    const name = new Date(time).toISOString().slice(0, 10);
    let position: DayPosition | undefined = { shard: 0 };
    while (position !== undefined) {
      const page = await pageAt(name, position, options);
      for (const row of page.rows.filter(({ head }) => head.reason === 'throttled')) {
        const release = await budget.acquire(1, signal);
        const resumed = resume(row, options).finally(release);
        resumed.catch(() => undefined); // it is waited for in the end
        resuming.push(resumed);
      }
      position = page.next;
    }
  }
  return (await Promise.all(resuming)).filter(Boolean).length;
}

function pageAt(
  name: string,
  position: DayPosition,
  { letters, signal }: ResumeOptions,
): Promise<DayPage> {
  return patiently(() => letters.page(name, position, { limit: pageItems, signal }), signal);
}

/** @returns whether it is stored now */
async function resume(
  { head }: DeadLetterRow,
  { letters, pipeline, signal }: ResumeOptions,
): Promise<boolean> {
  const found = await patiently(() => letters.find(head.id, signal), signal);
  if (found === undefined) return false;
  const { refusals } = await pipeline.replay(found.letter);
  if (refusals.length > 0) return false;
  await patiently(() => letters.remove(found), signal);
  return true;
}

/** A table that is throttled may not answer either, and what is not resumed now would wait for somebody to come. */
async function patiently<Answer>(
  work: () => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      await sleep(retryDelay, undefined, { signal });
    }
  }
}
