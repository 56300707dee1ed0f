import type { ShardEpoch } from '@engawa/keys';
import type { Document } from './item-size.ts';

/** Epochs as an item has them; none where it has none. */
export function parseEpochs(value: unknown): ShardEpoch[] {
  if (!Array.isArray(value)) return [];
  return (value as Record<keyof ShardEpoch, unknown>[]).map(({ since, count, from }) => ({
    since: Number(since),
    count: Number(count),
    from: Number(from ?? since),
  }));
}

/** As an item has them. */
export function epochDocuments(epochs: readonly ShardEpoch[]): Document[] {
  return epochs.map(({ since, count, from }) => ({ since, count, from }));
}
