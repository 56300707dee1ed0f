import { setTimeout as after } from 'node:timers/promises';
import { messagesOf } from './batches.ts';
import type { Device } from './homes.ts';
import type { Publisher } from './publisher.ts';
import type { Simulation } from './simulation.ts';

export interface LiveOptions {
  publisher: Publisher;
  simulation: Simulation;
  devices: readonly Device[];
  /** Start in epoch milliseconds; readings since then are sent immediately. */
  from: number;
  signal: AbortSignal;
  /** The clock, ms since 1970. */
  now?: () => number;
  tickMilliseconds?: number;
}

/**
 * Publishes readings in real time until the signal aborts, then rejects. After an outage of the broker
 * or of this computer, the devices publish the missed readings.
 */
export async function playLive(options: LiveOptions): Promise<never> {
  const { publisher, signal, now = Date.now, tickMilliseconds = 1000 } = options;
  let played = options.from;
  for (;;) {
    // If the clock was set back, the same time must not be published twice.
    const to = Math.max(played, now());
    for (const message of messagesOf({ ...options, from: played, to, bundleMinutes: 1 })) {
      await publisher.publish(message, signal);
    }
    played = to;
    await after(tickMilliseconds, undefined, { signal });
  }
}
