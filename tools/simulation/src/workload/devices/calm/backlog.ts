import { messageOf } from '../device-message.ts';
import type { DeviceMessage } from '../device-message.ts';

/** Few of them belong to one partition, so that most messages in flight are of others. */
const sensors = 12;
/** Milliseconds between two readings. */
const everyMs = 10;

/** Readings of sensors that linger, the sensors in turn: published at once after an outage of the network. */
export function backlogOf(messages: number, now: number): DeviceMessage[] {
  return Array.from({ length: messages }, (_, index) => {
    const device = `device0-backlog-${index % sensors}`;
    const time = now - (messages - index) * everyMs;
    const fields = { temperature: index };
    const reading = { device, time, fields };
    return messageOf(`engawa/${device}/readings`, { ts: time, ...fields }, [reading]);
  });
}
