import { messageOf } from './device-message.ts';
import type { Dialect } from './device-message.ts';

/** A relay with two channels, which the names of its fields must distinguish. */
export const shelly: Dialect = {
  name: 'shelly',
  nextMessage: ({ name: device, count, now, random }) => {
    const channel = random.integer(0, 1);
    const prefix = channel === 0 ? '' : 'switch:1.';
    const component = `switch:${channel}`;
    const power = random.integer(0, 20_000) / 10;
    const fields = {
      [`${component}.id`]: channel,
      [`${component}.output`]: power > 0,
      [`${prefix}power`]: power,
      [`${prefix}energyImport`]: count / 1000,
    };
    const body = { id: channel, output: power > 0, apower: power, aenergy: { total: count } };
    if (random.chance(0.5)) {
      return messageOf(`${device}/status/${component}`, body, [{ device, fields }]);
    }
    const seconds = Math.floor(now / 1000);
    const params = { ts: seconds, [component]: body };
    const reading = { device, fields, time: seconds * 1000 };
    return messageOf(`${device}/events/rpc`, { method: 'NotifyStatus', params }, [reading]);
  },
};
