import type { Random } from '../kernel/random.ts';
import type { Entry } from './entry.ts';

/** Any order among the messages of a second, as a map gives them that is sorted by seconds only. */
export function mixWithinSeconds(entries: Iterable<Entry>, random: Random): Entry[] {
  const keyed = [...entries].map((entry) => ({
    entry,
    second: Math.floor(entry.record.message.takenAt / 1000),
    place: random.fraction(),
  }));
  keyed.sort((one, other) => one.second - other.second || one.place - other.place);
  return keyed.map(({ entry }) => entry);
}
