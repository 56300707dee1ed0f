import { setTimeout as sleep } from 'node:timers/promises';
import { ConditionFailed } from '@engawa/table';
import type { Logger } from 'pino';

/** Milliseconds to wait before trying again what the table would not take. */
const retryDelay = 500;

export interface PersistOptions {
  log: Logger;
  /** Aborts when closing begins: what fails then is not tried again, and its message comes again. */
  signal: AbortSignal;
}

/**
 * What the table would not take now is tried until it does: the message waits, unacknowledged.
 * @throws ConditionFailed, which waiting would not change; the signal's reason when that aborts
 */
export async function persist<Answer>(
  write: () => Promise<Answer>,
  { log, signal }: PersistOptions,
): Promise<Answer> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (error instanceof ConditionFailed) throw error;
      signal.throwIfAborted();
      log.debug({ err: error }, 'an item could not be written: trying again');
      await sleep(retryDelay * (0.5 + Math.random()), undefined, { signal });
    }
  }
}
