import { messageOf } from './device-message.ts';
import type { Dialect } from './device-message.ts';

/**
 * An electricity meter, read through ECHONET Lite: it counts hundredths of a kilowatt hour, and
 * reports the time at which each value changed.
 */
export const echonet: Dialect = {
  name: 'echonet',
  nextMessage: ({ name: device, count, now, random }) => {
    const seconds = Math.floor(now / 1000) * 1000;
    const changedAt = new Date(seconds).toISOString();
    const power = random.integer(-3000, 6000);
    const property = (name: string, epc: number, value: number) => ({
      ...{ name, epc, val: String(value), updated_at: changedAt },
    });
    const properties = [
      property('unit', 0xe1, 2),
      property('cumulative', 0xe0, count),
      property('instantaneous', 0xe7, power),
    ];
    const fields = { unit: 2, energyImport: count / 100, power };
    const body = { echonetlite_properties: properties };
    return messageOf(`nature/${device}/smart_meter`, body, [{ device, fields, time: seconds }]);
  },
};
