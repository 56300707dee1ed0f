import { messageOf } from './device-message.ts';
import type { Dialect } from './device-message.ts';

/** A plug with a meter, whose times are in UTC without a time zone. */
export const tasmota: Dialect = {
  name: 'tasmota',
  nextMessage: ({ name: device, count, now, random }) => {
    const seconds = Math.floor(now / 1000) * 1000;
    const power = random.integer(0, 2000);
    const clock = new Date(seconds).toISOString().slice(0, 19);
    const body = { Time: clock, ENERGY: { Total: count / 1000, Power: power } };
    const fields = { energyImport: count / 1000, power };
    return messageOf(`tele/${device}/SENSOR`, body, [{ device, fields, time: seconds }]);
  },
};
