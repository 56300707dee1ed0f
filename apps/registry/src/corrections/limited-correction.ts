import { expectSize, invalid } from './requested-correction.ts';
import type { CorrectionRange } from '@engawa/model';
import type { RequestedCorrection } from './requested-correction.ts';

/** Stays in one correction: for query each is a correction of its own. */
const maxStays = 20;

const aStay = 'a time in which the device was at one of the places of your token';

/**
 * Limits a correction to the stays of the device at the places of the client (docs/adr/0104).
 * @param times of these stays, in order of time
 * @throws Problem `invalid-request` where the range touches none of them, or a replacement reading is in none
 */
export function limitedCorrection(
  requested: RequestedCorrection,
  times: readonly CorrectionRange[],
): RequestedCorrection {
  const { from, to, readings = [] } = requested;
  const within = times
    .map((time) => ({ from: Math.max(time.from, from), to: Math.min(time.to, to) }))
    .filter((time) => time.from < time.to);
  if (within.length === 0) throw invalid('body', `must touch ${aStay}`);
  if (within.length > maxStays) throw invalid('body', `must touch at most ${maxStays} stays`);
  const isWithin = (time: number) => within.some((range) => range.from <= time && time < range.to);
  if (!readings.every(({ time }) => isWithin(time))) {
    throw invalid('body.readings', `must each be within ${aStay}`);
  }
  const limited = { ...requested, within };
  expectSize(limited);
  return limited;
}
