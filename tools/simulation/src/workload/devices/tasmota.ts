import { said } from './utterance.ts';
import type { Dialect } from './utterance.ts';

/** A plug with a meter, whose clock shows UTC without saying so. */
export const tasmota: Dialect = {
  name: 'tasmota',
  deviceOf: (name) => name,
  speak: ({ name: device, count, now, random }) => {
    const seconds = Math.floor(now / 1000) * 1000;
    const power = random.integer(0, 2000);
    const clock = new Date(seconds).toISOString().slice(0, 19);
    const body = { Time: clock, ENERGY: { Total: count / 1000, Power: power } };
    const fields = { energyImport: count / 1000, power };
    return said(`tele/${device}/SENSOR`, body, [{ device, fields, time: seconds }]);
  },
};
