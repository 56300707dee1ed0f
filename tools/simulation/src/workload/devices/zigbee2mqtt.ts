import { messageOf } from './device-message.ts';
import type { Dialect } from './device-message.ts';

/** Partial reports: random subsets of the fields of a device. */
export const zigbee2mqtt: Dialect = {
  name: 'zigbee2mqtt',
  nextMessage: ({ name, count, random, retains }) => {
    const device = `${name}/sensor`;
    const body: Record<string, unknown> = { energy: count / 100 };
    const fields: Record<string, unknown> = { energyImport: count / 100 };
    if (random.chance(0.7)) {
      body['temperature'] = fields['temperature'] = random.integer(1500, 3000) / 100;
    }
    if (random.chance(0.3)) body['linkquality'] = fields['linkQuality'] = random.integer(0, 254);
    if (random.chance(0.2)) {
      const isClosed = random.chance(0.5);
      body['contact'] = isClosed;
      fields['contact'] = isClosed ? 'closed' : 'open';
    }
    return messageOf(`zigbee2mqtt/${device}`, body, [{ device, fields }], retains);
  },
};
