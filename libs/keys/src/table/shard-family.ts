import { byteLength } from '../byte-order.ts';
import { encodeTuple, tryDecodeTuple } from '../tuple.ts';
import { rankingPartOf } from './entity.ts';

/** Partition keys of one family, by their common segments without the shard. */
export type ShardFamily = readonly string[];

export const deviceListFamily: ShardFamily = ['LIST', 'DEVICE'];
export const deviceSeenFamily: ShardFamily = ['SEEN', 'DEVICE'];
export const placeListFamily: ShardFamily = ['LIST', 'PLACE'];
export const roomListFamily: ShardFamily = ['LIST', 'ROOM'];
export const textChangeFamily: ShardFamily = ['CHANGED', 'TEXT'];
export const expiryFamily: ShardFamily = ['EXPIRES', 'E'];

export function entityListFamily(type: string): ShardFamily {
  return ['LIST', 'E', type];
}

/** Maximum bytes of a sort key, which a family is in the shard map (DynamoDB developer guide, "Quotas"). */
const maxFamilyBytes = 1024;

/**
 * The family of a search or a ranking; with `within`, of the ranking of that entity, so that a hot one gets its own
 * shards. Where these names are too long for the shard map, it shares the shards of the ranking. All periods have the
 * same family: a new one begins with the shards of the last one, and the shard map does not grow with time
 * (docs/adr/0143).
 */
export function attributeFamily(type: string, search: string, within?: string): ShardFamily {
  const family = ['A', type, search];
  if (within === undefined) return family;
  const own = [...family, within];
  return byteLength(encodeTuple(own)) <= maxFamilyBytes ? own : family;
}

/** A label of the family without ids: one label for all families of a kind. */
export function familyLabel(family: ShardFamily): string {
  return encodeTuple(family[0] === 'A' ? family.slice(0, 3) : family);
}

/** The family of a partition key: index keys, counted in the shard map, or one device's readings. */
export type ShardedPartition =
  | { kind: 'list' | 'seen' | 'attribute' | 'text' | 'expiry'; family: ShardFamily; shard: number }
  | { kind: 'device'; device: string; shard: number };

const shardNumber = /^\d{1,2}$/;

/**
 * Undefined for a partition without shards, and for a key of another application. `index` is `table` or the index's
 * name.
 */
export function shardedPartition(index: string, partition: string): ShardedPartition | undefined {
  const segments = tryDecodeTuple(partition) ?? [];
  const [kind, second] = segments;
  const length = segments.length;
  if (index === 'table' && kind === 'DEVICE' && second !== undefined && length === 2) {
    return { kind: 'device', device: second, shard: 0 };
  }
  const last = segments.at(-1) ?? '';
  if (!shardNumber.test(last)) return undefined;
  const shard = Number(last);
  const family = segments.slice(0, -1);
  if (index === 'table' && kind === 'DEVICE' && second !== undefined && length === 3) {
    return { kind: 'device', device: second, shard };
  }
  if (index === 'gsi1' && kind === 'LIST' && (second === 'E' ? length === 4 : length === 3)) {
    return { kind: 'list', family, shard };
  }
  if (index !== 'gsi2') return undefined;
  if (kind === 'SEEN' && length === 3) return { kind: 'seen', family, shard };
  if (kind === 'A' && length >= 4 && length <= 6) {
    const [, type = '', search = ''] = family;
    const { within } = rankingPartOf(partition);
    return { kind: 'attribute', family: attributeFamily(type, search, within), shard };
  }
  if (kind === 'CHANGED' && length === 3) return { kind: 'text', family, shard };
  if (kind === 'EXPIRES' && length === 3) return { kind: 'expiry', family, shard };
  return undefined;
}
