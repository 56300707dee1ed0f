import { messageOf } from './device-message.ts';
import type { Dialect } from './device-message.ts';

/** Home Assistant's statestream: retained messages with one attribute each, without a time. */
export const statestream: Dialect = {
  name: 'statestream',
  nextMessage: ({ name, count }) => {
    const device = `sensor.${name}`;
    const reading = { device, fields: { state: count } };
    return messageOf(`homeassistant/sensor/${name}/state`, count, [reading], true);
  },
};
