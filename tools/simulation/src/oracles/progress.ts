import { Violation } from '../world/violation.ts';
import { inFlightOf } from '../world/scale.ts';
import type { Message } from '../broker/index.ts';
import type { Gateway } from '../world/gateway.ts';
import type { Scale } from '../world/scale.ts';

export interface ProgressOptions {
  /** Messages that the broker has taken and no replica has acknowledged, the oldest first. */
  unacknowledged: () => readonly Message[];
  gateway: Pick<Gateway, 'sleep'>;
  /** Milliseconds of the world's time. */
  now: () => number;
}

/**
 * Milliseconds for what does not depend on the number: readings linger for one second
 * (`LINGER_MS`), new devices are registered.
 */
const slackMs = 5000;
/**
 * The same where the broker has a queue for each subscription of a group (HiveMQ): it reads one
 * after the other, and each may linger for a second; there is one for each brand.
 */
const slackOfQueuesMs = 15_000;
/** Messages that one request writes at most. */
const batch = 25;
/**
 * Milliseconds from a delivery to the next one that its acknowledgement frees, at the slowest:
 * network twice, table once or twice.
 */
const roundMs = 30;
/** Milliseconds between two looks. */
const lookEveryMs = 50;
/** Characters of a topic that a sentence quotes. */
const longestTopic = 80;

/** In how many milliseconds so many messages that come at once are acknowledged, while nothing fails. */
export function patienceMs(scale: Scale, messages: number): number {
  const rounds = Math.ceil(messages / Math.min(inFlightOf(scale), batch));
  const { profile, sharing } = scale;
  const hasQueues = sharing === 'group' && profile.groups.queuedBy === 'group';
  return (hasQueues ? slackOfQueuesMs : slackMs) + rounds * roundMs;
}

/**
 * While nothing fails, every message that the broker has taken is acknowledged in time.
 *
 * @param withinMs from now on
 * @throws Violation where one is not, naming the oldest
 */
export async function untilAcknowledged(
  { unacknowledged, gateway, now }: ProgressOptions,
  withinMs: number,
): Promise<void> {
  const end = now() + withinMs;
  for (let waiting = unacknowledged(); waiting.length > 0; waiting = unacknowledged()) {
    if (now() >= end) throw new Violation(standstillOf(waiting, now()));
    await gateway.sleep(lookEveryMs);
  }
}

function standstillOf(waiting: readonly Message[], now: number): string {
  const [oldest] = waiting;
  const seconds = ((now - (oldest?.takenAt ?? now)) / 1000).toFixed(1);
  const topic = oldest?.topic.slice(0, longestTopic) ?? '';
  return `${waiting.length} messages are not acknowledged, though nothing fails; the oldest, of ${topic}, waits for ${seconds} s`;
}
