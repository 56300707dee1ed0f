import { said } from './utterance.ts';
import type { Dialect } from './utterance.ts';

/** Home Assistant's states: retained, one attribute a message, without a time. */
export const statestream: Dialect = {
  name: 'statestream',
  deviceOf: (name) => `sensor.${name}`,
  speak: ({ name, count }) => {
    const device = `sensor.${name}`;
    const reading = { device, fields: { state: count } };
    return said(`homeassistant/sensor/${name}/state`, count, [reading], true);
  },
};
