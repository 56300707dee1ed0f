import { Rejection } from '../refusals/rejection.ts';
import { timeOfSetClock } from './device-clock.ts';
import { readObject, tryReadObject } from './payload.ts';
import { deviceOf } from './topic-filter.ts';
import { ignored, oneReading, unproven } from './decoder.ts';
import type { DecoderKind } from './decoder.ts';

/** The level between the name of a gateway and its items. */
const statusLevel = 'status';

/**
 * mqtt-smarthome: `<gateway>/status/<item>`, with the value `val` and the time `ts` of its measurement; an item may
 * have several levels.
 */
export const smarthome: DecoderKind = {
  name: 'smarthome',
  defaultFilters: ['+/status/#'],
  create: () => (source) => {
    const { filter, levels, payload } = source;
    const place = levels.indexOf(statusLevel);
    const item = levels.slice(place + 1).join('.');
    if (payload.length === 0 || place < 0 || item === '') return ignored();
    const values = filter.isDefault ? tryReadObject(payload) : readObject(payload);
    if (filter.isDefault && !isReport(values)) return unproven();
    if (values === undefined || !Object.hasOwn(values, 'val')) {
      throw new Rejection('value-missing');
    }
    const { ts, ...others } = values;
    const device = deviceOf(source, levels.length - place);
    return oneReading(device, timeOfSetClock(ts ?? undefined), { [item]: others });
  },
};

function isReport(values: Record<string, unknown> = {}): boolean {
  return Object.hasOwn(values, 'val') && typeof values['ts'] === 'number';
}
