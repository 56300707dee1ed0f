import type { DeadLetters, DayPosition } from './dead-letters.ts';
import type { Pipeline } from './pipeline.ts';

export interface ResumeOptions {
  letters: DeadLetters;
  pipeline: Pipeline;
  signal: AbortSignal;
}

const day = 86_400_000;

/**
 * Stores what a process before this one had kept because of throttling, and did not come to store. Of today and yesterday;
 * older letters wait for somebody to replay them. @returns how many are stored now
 */
export async function resumeThrottled({
  letters,
  pipeline,
  signal,
}: ResumeOptions): Promise<number> {
  let stored = 0;
  for (const time of [Date.now(), Date.now() - day]) {
    const name = new Date(time).toISOString().slice(0, 10);
    let position: DayPosition | undefined = { shard: 0 };
    while (position !== undefined) {
      const page = await letters.page(name, position, { limit: 100, signal });
      for (const { head } of page.rows.filter((row) => row.head.reason === 'throttled')) {
        const found = await letters.find(head.id, signal);
        if (found === undefined) continue;
        const { refusals } = await pipeline.replay(found.letter);
        if (refusals.length > 0) continue;
        await letters.remove(found);
        stored += 1;
      }
      position = page.next;
    }
  }
  return stored;
}
