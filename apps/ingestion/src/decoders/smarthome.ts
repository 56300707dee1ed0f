import { Rejection } from '../refusals/rejection.ts';
import { timeOfSetClock } from './device-clock.ts';
import { readObject, tryReadObject } from './payload.ts';
import { deviceOf } from './topic-filter.ts';
import { ignored, oneReading, unproven } from './decoder.ts';
import type { DecoderKind } from './decoder.ts';
import type { MatchedTopic } from './topic-filter.ts';

/** The level between the name of a gateway and its items. */
const statusLevel = 'status';

/**
 * mqtt-smarthome: `<gateway>/status/<item>`, with the value `val` and the time `ts` of its measurement; an item may
 * have several levels.
 */
export const smarthome: DecoderKind = {
  name: 'smarthome',
  defaultFilters: ['+/status/#'],
  deviceOf: (topic) => (topic.levels.includes(statusLevel) ? gatewayOf(topic) : undefined),
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
    return oneReading(gatewayOf(source), timeOfSetClock(ts ?? undefined), { [item]: others });
  },
};

function gatewayOf(topic: MatchedTopic): string {
  return deviceOf(topic, topic.levels.length - topic.levels.indexOf(statusLevel));
}

function isReport(values: Record<string, unknown> = {}): boolean {
  return Object.hasOwn(values, 'val') && typeof values['ts'] === 'number';
}
