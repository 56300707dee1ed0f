import { matches, topicFilter } from '../decoders/topic-filter.ts';
import type { DeadLetterHead, DeadLetterReason } from '@engawa/model';
import type { Decoder } from '../decoders/decoder.ts';

/** A dead letter must match all of them. */
export interface DeadLetterCriteria {
  reason?: DeadLetterReason | undefined;
  /** An MQTT topic filter; without wildcards it matches one topic. */
  topic?: string | undefined;
  device?: string | undefined;
}

export type DeadLetterFilter = (head: DeadLetterHead) => boolean;

/**
 * The device of a dead letter is that of its topic, by the present decoders: the payload may be undecodable.
 * @throws RangeError when `topic` is not a topic filter
 */
export function deadLetterFilter(
  { reason, topic, device }: DeadLetterCriteria,
  decoders: readonly Decoder[],
): DeadLetterFilter {
  const wanted = topic === undefined ? undefined : topicFilter(topic);
  return (head) => {
    if (reason !== undefined && head.reason !== reason) return false;
    const levels = head.topic.split('/');
    if (wanted !== undefined && !matches(wanted, levels)) return false;
    return device === undefined || devicesOf(levels, decoders).includes(device);
  };
}

/** Several, if the topic matches default filters of several decoders: then the payload decides which of them it is. */
function devicesOf(levels: readonly string[], decoders: readonly Decoder[]): string[] {
  const devices: string[] = [];
  for (const decoder of decoders) {
    const filter = decoder.filters.find((each) => matches(each, levels));
    if (filter === undefined) continue;
    const device = decoder.deviceOf({ filter, levels });
    // Ids are compared in the form of keys.
    if (device !== undefined) devices.push(device.normalize('NFC'));
    if (!filter.isDefault) break;
  }
  return devices;
}
