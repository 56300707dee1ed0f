import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until the condition holds, and gives what it gave.
 * @throws Error saying what was waited for, after `timeoutMs`
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = 20_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== null && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`);
    await sleep(10);
  }
}
