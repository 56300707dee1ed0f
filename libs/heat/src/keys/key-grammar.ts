import { invariant } from '@engawa/errors';
import { tryDecodeTuple } from '@engawa/keys';

/**
 * Kinds of the segments of a partition key. `private` is an id of user data; `schema` is a name from the data model (an
 * entity type, a search); other segments are the same in every installation.
 */
type Segment = 'private' | 'schema' | 'shard' | 'day' | 'period' | { word: string };

const word = (text: string): Segment => ({ word: text });

/** Every kind of partition key of the table and its indexes (docs/reference/table.md). */
const kinds: readonly (readonly Segment[])[] = [
  [word('DEVICE'), 'private'],
  [word('DEVICE'), 'private', 'shard'],
  [word('PLACE'), 'private'],
  [word('ROOM'), 'private'],
  [word('ROOM'), 'private', 'private'],
  [word('E'), 'schema', 'private'],
  [word('UNIQUE'), 'schema', 'schema', 'private'],
  [word('LIST'), word('DEVICE'), 'shard'],
  [word('LIST'), word('PLACE'), 'shard'],
  [word('LIST'), word('ROOM'), 'shard'],
  [word('LIST'), word('E'), 'schema', 'shard'],
  [word('SEEN'), word('DEVICE'), 'shard'],
  [word('A'), 'schema', 'schema', 'shard'],
  [word('A'), 'schema', 'schema', 'private', 'shard'],
  [word('A'), 'schema', 'schema', word(''), 'period', 'shard'],
  [word('A'), 'schema', 'schema', 'private', 'period', 'shard'],
  [word('CHANGED'), word('TEXT'), 'shard'],
  [word('LEFTOUT'), 'schema'],
  [word('EXPIRES'), word('E'), 'shard'],
  [word('DLQ'), 'day'],
  [word('DLQ'), 'day', 'shard'],
  [word('DLQ'), 'day', word('DELIVERY'), 'private'],
  [word('PARKED'), 'shard'],
  [word('BIRTHS'), 'private'],
  [word('TYPE')],
  [word('ERASURES')],
  [word('SESSION'), 'private'],
  [word('TASKS'), word('CATALOG')],
  [word('SHARDS')],
];

const patterns = {
  private: /./s,
  schema: /./s,
  shard: /^\d{1,3}$/,
  day: /^\d{4}-\d\d-\d\d$/,
  period: /^-?\d{4}-[\dW-]{2,5}$/,
};

/** One segment of a key, and whether it is an id of user data. */
export interface ReadSegment {
  text: string;
  private: boolean;
}

/** Undefined for a key that is not Engawa's. */
export function readPartition(partition: string): ReadSegment[] | undefined {
  const segments = tryDecodeTuple(partition);
  const kind = kinds.find(
    (each) =>
      each.length === segments?.length &&
      each.every((segment, place) =>
        fits(segment, invariant(segments[place], 'both have as many segments')),
      ),
  );
  if (kind === undefined) return undefined;
  return segments?.map((text, place) => ({ text, private: kind[place] === 'private' }));
}

function fits(segment: Segment, text: string): boolean {
  return typeof segment === 'object' ? segment.word === text : patterns[segment].test(text);
}
