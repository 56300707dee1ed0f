import { setTimeout as delay } from 'node:timers/promises';

/** Resolves when the condition holds, and throws when it does not for two minutes. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`timeout while waiting for ${String(condition)}`);
    await delay(10);
  }
}
