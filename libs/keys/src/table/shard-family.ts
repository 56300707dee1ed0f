import { byteLength } from '../byte-order.ts';
import { decodeTuple, encodeTuple } from '../tuple.ts';

/** Partition keys that belong together, by what they have in common: their segments without the shard. */
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

/** Bytes of a sort key, which a family is in the shard map (DynamoDB developer guide, "Quotas"). */
const maxFamilyBytes = 1024;

/**
 * Of a search or a ranking; with `within`, of the ranking of that entity: one that is hot gets
 * shards of its own. Where these names are too long for the shard map, it has as many as the
 * ranking.
 */
export function attributeFamily(type: string, search: string, within?: string): ShardFamily {
  const family = ['A', type, search];
  if (within === undefined) return family;
  const own = [...family, within];
  return byteLength(encodeTuple(own)) <= maxFamilyBytes ? own : family;
}

/** What a family is called where nobody's id may be, nor one name for each of them. */
export function familyLabel(family: ShardFamily): string {
  return encodeTuple(family[0] === 'A' ? family.slice(0, 3) : family);
}

/** What a partition key is a shard of: a family of index keys, counted in the shard map, or one device's readings. */
export type ShardedPartition =
  | { kind: 'list' | 'seen' | 'attribute' | 'text' | 'expiry'; family: ShardFamily; shard: number }
  | { kind: 'device'; device: string; shard: number };

/** Undefined where a partition has no others to share its load with. `index` is `table` or the index's name. */
export function shardedPartition(index: string, partition: string): ShardedPartition | undefined {
  const segments = decodeTuple(partition);
  const [kind, second] = segments;
  const family = segments.slice(0, -1);
  const shard = Number(segments.at(-1));
  const length = segments.length;
  if (index === 'table' && kind === 'DEVICE' && second !== undefined && length <= 3) {
    return { kind: 'device', device: second, shard: length === 3 ? shard : 0 };
  }
  if (index === 'gsi1' && kind === 'LIST' && (second === 'E' ? length === 4 : length === 3)) {
    return { kind: 'list', family, shard };
  }
  if (index !== 'gsi2') return undefined;
  if (kind === 'SEEN' && length === 3) return { kind: 'seen', family, shard };
  if (kind === 'A' && (length === 4 || length === 5)) {
    const [, type = '', search = '', within] = family;
    return { kind: 'attribute', family: attributeFamily(type, search, within), shard };
  }
  if (kind === 'CHANGED' && length === 3) return { kind: 'text', family, shard };
  if (kind === 'EXPIRES' && length === 3) return { kind: 'expiry', family, shard };
  return undefined;
}
