import { compareBytes } from '@engawa/keys';
import fc from 'fast-check';
import { history, naive, now, packedReadingsOf } from './packed-readings.ts';
import type { ShardEpoch } from '@engawa/keys';
import type { Fields } from '@engawa/model';
import type { PackedReadings } from './packed-readings.ts';

/** Times in milliseconds, as everywhere here. */
interface Range {
  from: number;
  to: number;
}

/** A device with its readings and its membership in the room. */
export interface Roommate extends PackedReadings {
  id: string;
  epochs: ShardEpoch[];
  slices: Range[];
}

export interface RoomQuery extends Range {
  order: 'asc' | 'desc';
  fields: Set<string> | undefined;
}

/** By bytes the last one is the greatest, by UTF-16 units the one before it. */
const ids = ['a', 'a～', 'a😀'];

/** Those of readings, and a millisecond beside them. */
const moment = fc
  .tuple(fc.nat(20), fc.nat(1))
  .map(([step, beside]) => now + step * 500 + beside - 500);

/** Two at most, which do not overlap, but may touch. */
const slices: fc.Arbitrary<Range[]> = fc
  .oneof(
    fc.constant([now - 1000, now + 20_000]),
    fc.uniqueArray(moment, { minLength: 2, maxLength: 4 }),
  )
  .map((moments) => moments.toSorted((left, right) => left - right))
  .map(([a = 0, b = 0, c, d]) =>
    c === undefined || d === undefined
      ? [{ from: a, to: b }]
      : [
          { from: a, to: b },
          { from: c, to: d },
        ],
  );

function roommate(id: string): fc.Arbitrary<Roommate> {
  return fc
    .oneof(fc.constant<ShardEpoch[]>([]), history)
    .chain((epochs) =>
      fc
        .tuple(packedReadingsOf(id, epochs), slices)
        .map(([packed, slices]) => ({ ...packed, id, epochs, slices })),
    );
}

/** Any devices with any readings. */
export const room: fc.Arbitrary<Roommate[]> = fc
  .subarray(ids, { minLength: 1 })
  .chain((present) => fc.tuple(...present.map(roommate)));

export const roomQuestion: fc.Arbitrary<RoomQuery> = fc
  .record({
    order: fc.constantFrom('asc' as const, 'desc' as const),
    from: moment,
    length: moment.map((time) => time - now + 500),
    fields: fc.option(fc.constantFrom(new Set(['a']), new Set(['constructor', 'none'])), {
      nil: undefined,
    }),
  })
  .map(({ length, ...question }) => ({ ...question, to: question.from + length }));

/** What the pages have to give together, found out in the plainest way. */
export function expectedReadings(
  roommates: readonly Roommate[],
  { from, to, order, fields }: RoomQuery,
): { device: string; time: number; fields: Fields }[] {
  const all = roommates.flatMap(({ id, readings, slices }) =>
    naive(readings, 'asc')
      .filter(({ time }) => time >= from && time < to)
      .filter(({ time }) => slices.some((slice) => time >= slice.from && time < slice.to))
      .map((reading) => ({ device: id, ...reading })),
  );
  // Stable, so that those of one device and moment stay in their order.
  all.sort((left, right) => left.time - right.time || compareBytes(left.device, right.device));
  if (order === 'desc') all.reverse();
  if (fields === undefined) return all;
  return all
    .map((reading) => ({
      ...reading,
      fields: Object.fromEntries(
        Object.entries(reading.fields).filter(([name]) => fields.has(name)),
      ),
    }))
    .filter((reading) => Object.keys(reading.fields).length > 0);
}
