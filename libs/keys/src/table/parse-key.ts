import { KeyError } from '../key-error.ts';
import { parseInstant } from '../segments/instant.ts';
import { decodeTuple } from '../tuple.ts';
import type { Key } from './key.ts';

/** The item of a key of the table. Times are epoch milliseconds. */
export type ParsedKey =
  | { item: 'device'; device: string }
  | { item: 'block'; device: string; shard: number; newest: number; name: string }
  | { item: 'rollup'; device: string; width: string; start: number }
  | { item: 'correction'; device: string; correction: string }
  | { item: 'correctionRow'; device: string; length: string; from: number; correction: string }
  | { item: 'place'; place: string }
  | { item: 'room'; place: string; room: string }
  | { item: 'placement'; place: string; device: string }
  | { item: 'membership'; place: string; room?: string; device: string; since: number }
  | { item: 'purgeJob'; kind: string; ids: string[] }
  | { item: 'entityType'; type: string }
  | { item: 'entityTypesMark' }
  | { item: 'entity'; type: string; id: string }
  | { item: 'relation'; type: string; id: string; otherType: string; otherId: string }
  | { item: 'attributeRow'; type: string; id: string; search: string }
  | { item: 'leftOutRow'; type: string; id: string }
  | { item: 'textRow'; type: string; id: string }
  | { item: 'uniqueValue'; type: string; attribute: string; hash: string }
  | { item: 'expiryRow'; type: string; id: string }
  | { item: 'catalogTask'; kind: string; segments: string[] }
  | { item: 'deadLetter'; day: string; shard: number; letter: string; part: number }
  | { item: 'deadLettersSpread'; day: string }
  | { item: 'deadLetterDelivery'; day: string; hash: string; letter: string }
  | { item: 'parkedBlock'; shard: number; device: string; newest: number; hash: string }
  | { item: 'birth'; node: string; device?: string; timestamp: number }
  | { item: 'session'; clientId: string }
  | { item: 'shardMap'; family: string[] };

/** @throws KeyError when no builder of this library made the key */
export function parseKey({ pk, sk }: Key): ParsedKey {
  const partition = decodeTuple(pk);
  const sort = decodeTuple(sk);
  const parsed = parsers.get(partition[0])?.(partition.slice(1), sort);
  if (parsed === undefined) throw new KeyError('key', 'is not a key of this table');
  return parsed;
}

type Parser = (partition: readonly string[], sort: readonly string[]) => ParsedKey | undefined;

const parsers = new Map<string, Parser>(
  Object.entries({
    DEVICE: ([device = '', shard = '0'], [kind = '', ...sort]) => {
      if (kind === 'DEVICE') return { item: 'device', device };
      const [series, first = '', second = '', third = ''] = sort;
      if (kind === '' && series === 'TS') {
        const newest = parseInstant('time', first);
        return { item: 'block', device, shard: Number(shard), newest, name: second };
      }
      if (kind === '' && series === 'AGG') {
        return { item: 'rollup', device, width: first, start: parseInstant('start', second) };
      }
      if (kind === '' && series === 'COR') return { item: 'correction', device, correction: first };
      if (kind === '' && series === 'CORROW') {
        const from = parseInstant('from', second);
        return { item: 'correctionRow', device, length: first, from, correction: third };
      }
      return undefined;
    },
    PLACE: ([place = ''], [kind, name = '']) => {
      if (kind === 'PLACE') return { item: 'place', place };
      if (kind === 'ROOM') return { item: 'room', place, room: name };
      if (kind === 'DEVICE') return { item: 'placement', place, device: name };
      return undefined;
    },
    ROOM: ([place = '', room], [, device = '', since = '']) => {
      const membership = { place, device, since: parseInstant('since', since) };
      return { item: 'membership', ...membership, ...(room !== undefined && { room }) };
    },
    SESSION: ([clientId = '']) => ({ item: 'session', clientId }),
    ERASURES: (_, [kind = '', ...ids]) => ({ item: 'purgeJob', kind, ids }),
    TYPE: (_, [kind, type = '']) =>
      kind === 'MARK' ? { item: 'entityTypesMark' } : { item: 'entityType', type },
    E: ([type = '', id = ''], [kind, first = '', second = '']) => {
      if (kind === 'E') return { item: 'entity', type, id };
      if (kind === 'R') return { item: 'relation', type, id, otherType: first, otherId: second };
      if (kind === 'FULLTEXT') return { item: 'textRow', type, id };
      if (kind === 'EXPIRES') return { item: 'expiryRow', type, id };
      if (kind === 'LEFTOUT') return { item: 'leftOutRow', type, id };
      if (kind === 'F') return { item: 'attributeRow', type, id, search: second };
      return undefined;
    },
    UNIQUE: ([type = '', attribute = '', hash = '']) => {
      return { item: 'uniqueValue', type, attribute, hash };
    },
    DLQ: ([day = '', shard = '', hash], [letter = '', part = '0']) => {
      if (letter === 'SPREAD') return { item: 'deadLettersSpread', day };
      if (hash !== undefined) return { item: 'deadLetterDelivery', day, hash, letter };
      return { item: 'deadLetter', day, shard: Number(shard), letter, part: Number(part) };
    },
    PARKED: ([shard = ''], [device = '', time = '', hash = '']) => {
      const newest = parseInstant('time', time);
      return { item: 'parkedBlock', shard: Number(shard), device, newest, hash };
    },
    BIRTHS: ([node = ''], [kind, ...rest]) => {
      const timestamp = parseInstant('timestamp', rest.at(-1) ?? '');
      if (kind === 'NODE') return { item: 'birth', node, timestamp };
      return { item: 'birth', node, device: rest[0] ?? '', timestamp };
    },
    TASKS: (_, [kind = '', ...segments]) => ({ item: 'catalogTask', kind, segments }),
    SHARDS: (_, family) => ({ item: 'shardMap', family: [...family] }),
  } satisfies Record<string, Parser>),
);
