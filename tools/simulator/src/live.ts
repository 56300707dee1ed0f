import { setTimeout as after } from 'node:timers/promises';
import { messagesOf } from './batches.ts';
import type { Device } from './homes.ts';
import type { Publisher } from './publisher.ts';
import type { Simulation } from './simulation.ts';

export interface LiveOptions {
  publisher: Publisher;
  simulation: Simulation;
  devices: readonly Device[];
  /** From when on, ms since 1970; what has passed since then is sent at once. */
  from: number;
  signal: AbortSignal;
  /** The clock, ms since 1970. */
  now?: () => number;
  tickMilliseconds?: number;
}

/**
 * Plays as time goes by, for ever: rejects when the signal aborts. Nothing is left out when the
 * broker or this computer was away: the devices then send what they could not.
 */
export async function playLive(options: LiveOptions): Promise<never> {
  const { publisher, signal, now = Date.now, tickMilliseconds = 1000 } = options;
  let played = options.from;
  for (;;) {
    // A clock that was set back must not play the same time twice.
    const to = Math.max(played, now());
    for (const message of messagesOf({ ...options, from: played, to, bundleMinutes: 1 })) {
      await publisher.publish(message, signal);
    }
    played = to;
    await after(tickMilliseconds, undefined, { signal });
  }
}
