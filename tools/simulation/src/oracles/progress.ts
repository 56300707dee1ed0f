import { Violation } from '../world/violation.ts';
import { inFlightOf } from '../world/scale.ts';
import type { Message } from '../broker/index.ts';
import type { Gateway } from '../world/gateway.ts';
import type { Scale } from '../world/scale.ts';

export interface ProgressOptions {
  /** Messages that the broker has accepted and no replica has acknowledged, the oldest first. */
  unacknowledged: () => readonly Message[];
  gateway: Pick<Gateway, 'sleep'>;
  /** Milliseconds of the world's time. */
  now: () => number;
}

/**
 * Milliseconds for delays that do not depend on the number of messages: readings linger for one
 * second (`LINGER_MS`), new devices are registered.
 */
const slackMs = 5000;
/**
 * The same for a broker with a queue per shared subscription (HiveMQ), one per device brand: the
 * broker reads one queue at a time, and the messages of each queue may linger for a second.
 */
const slackOfQueuesMs = 15_000;
/** Maximum number of messages that one request writes. */
const batch = 25;
/**
 * Maximum milliseconds from a delivery to the next delivery, which waits for the acknowledgement:
 * two network latencies, and one or two requests of the table.
 */
const roundMs = 30;
/** Milliseconds between two checks. */
const lookEveryMs = 50;
/** Maximum characters of a quoted topic. */
const maxTopicLength = 80;

/** Maximum milliseconds until a burst of messages is acknowledged, without faults. */
export function timeoutMs(scale: Scale, messages: number): number {
  const rounds = Math.ceil(messages / Math.min(inFlightOf(scale), batch));
  const { profile, sharing } = scale;
  const hasQueues = sharing === 'group' && profile.groups.queuedBy === 'group';
  return (hasQueues ? slackOfQueuesMs : slackMs) + rounds * roundMs;
}

/**
 * Waits until all messages are acknowledged. Call it while no faults are injected.
 *
 * @param withinMs maximum wait
 * @throws Violation naming the oldest message that is not acknowledged in time
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
  const topic = oldest?.topic.slice(0, maxTopicLength) ?? '';
  return `${waiting.length} messages are not acknowledged although no faults are injected; the oldest, of ${topic}, has waited for ${seconds} s`;
}
