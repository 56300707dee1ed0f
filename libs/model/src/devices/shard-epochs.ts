import { maxShards } from '@engawa/keys';
import type { FamilyShards, ShardEpoch, Shrink } from '@engawa/keys';
import type { Document } from '../values/item-size.ts';

/**
 * The epochs of an item; empty where it has none. Invalid epochs are ignored, because with an invalid count readers
 * would query no shard, or a million.
 */
export function parseEpochs(value: unknown): ShardEpoch[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((epoch: unknown) => {
    const { since, count, from = since } = Object(epoch) as Record<keyof ShardEpoch, unknown>;
    const parsed = { since: Number(since), count: Number(count), from: Number(from) };
    if (!Number.isInteger(parsed.count) || parsed.count < 1) return [];
    if (!Number.isFinite(parsed.since) || !Number.isFinite(parsed.from)) return [];
    return [{ ...parsed, count: Math.min(maxShards, parsed.count) }];
  });
}

/** The epochs as stored in an item. */
export function epochDocuments(epochs: readonly ShardEpoch[]): Document[] {
  return epochs.map(({ since, count, from }) => ({ since, count, from }));
}

/**
 * A family's item of the shard map; an invalid shrink is ignored like invalid epochs. Earlier releases neither read nor
 * change `shrink` and `version`.
 */
export function parseFamilyShards(item: Document): FamilyShards {
  const { count, epochs, from } = Object(item['shrink']) as Record<keyof Shrink, unknown>;
  const family = { epochs: parseEpochs(item['epochs']), version: Number(item['version'] ?? 0) };
  const shrink = { count: Number(count), epochs: Number(epochs), from: Number(from) };
  const isValid = shrink.count >= 1 && Object.values(shrink).every(Number.isInteger);
  return isValid ? { ...family, shrink } : family;
}

/** The shrink as stored in an item. */
export function shrinkDocument({ count, epochs, from }: Shrink): Document {
  return { count, epochs, from };
}
