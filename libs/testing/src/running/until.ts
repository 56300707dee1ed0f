import { setTimeout as sleep } from 'node:timers/promises';

type Progress = number | string;

export interface UntilOptions {
  /** A value, such as a count, that changes while the condition gets closer. */
  progress?: () => Progress | Promise<Progress>;
  /** Time without a change of `progress` after which the wait fails. */
  stallMs?: number;
}

/**
 * Waits until the condition holds, and returns its value. A busy machine takes many times as long
 * as an idle one, so the wait fails only after a long time without progress.
 * @throws Error that names the condition, after `stallMs` without progress
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  { progress = () => '', stallMs = 120_000 }: UntilOptions = {},
): Promise<NonNullable<T>> {
  let reached: Progress = '';
  let changedAt = performance.now();
  for (;;) {
    const askedAt = performance.now();
    const value = await condition();
    if (value !== undefined && value !== null && value !== false) return value;
    const now = performance.now();
    const current = await progress();
    if (current !== reached) [reached, changedAt] = [current, now];
    if (now - changedAt > stallMs) throw new Error(messageOf(what, reached, stallMs));
    // An expensive condition is evaluated at most a third of the time: what it waits for needs the CPU.
    await sleep(Math.max(10, 2 * (now - askedAt)));
  }
}

function messageOf(what: string, reached: Progress, stallMs: number): string {
  const at = reached === '' ? '' : `, at ${reached}`;
  return `no progress for ${stallMs} ms${at}, waiting for: ${what}`;
}
