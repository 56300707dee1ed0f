import { Rejection } from '../rejection.ts';
import type { Decoder, Draft } from './decoder.ts';

/**
 * Engawa's own format: `engawa/<device>/readings` with an object or an array of objects. `ts` is the time, and may be
 * left out; every other key is a field.
 */
export const native: Decoder = {
  name: 'native',
  topic: 'engawa/+/readings',
  decode([device = ''], payload) {
    const gathered = Array.isArray(payload);
    const readings: unknown[] = gathered ? payload : [payload];
    if (readings.length === 0) throw new Rejection('malformed', 'the array has no reading in it');
    return { device, gathered, drafts: readings.map(toDraft) };
  },
};

/** What is not an object becomes a draft without fields, so that only this reading is refused. */
function toDraft(reading: unknown): Draft {
  if (typeof reading !== 'object' || reading === null || Array.isArray(reading)) {
    return { time: undefined, fields: {} };
  }
  const { ts, ...fields } = reading as Record<string, unknown>;
  return { time: ts, fields };
}
