import { messageOf } from './device-message.ts';
import type { Dialect } from './device-message.ts';

/** A remote with a few buttons: bursts of equal presses, without a time or with one in whole seconds. */
export const remote: Dialect = {
  name: 'remote',
  nextMessage: ({ name, now, random }) => {
    const device = `${name}/remote`;
    const action = random.pick(['single', 'double']);
    const topic = `zigbee2mqtt/${device}`;
    const times = random.pick([1, 1, 2, 5, 12]);
    if (random.chance(0.7)) {
      const fields = { action };
      return { ...messageOf(topic, fields, [{ device, fields }]), times };
    }
    // Another action, since a reading without a time may be received in the first millisecond of a second.
    const fields = { action: `hold_${action}` };
    const time = Math.floor(now / 1000) * 1000;
    const body = { ...fields, last_seen: new Date(time).toISOString() };
    return { ...messageOf(topic, body, [{ device, fields, time, isEvent: true }]), times };
  },
};
