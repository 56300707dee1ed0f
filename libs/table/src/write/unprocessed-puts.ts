import { familyOf } from './key-queues.ts';
import type { KeyQueues } from './key-queues.ts';
import type { PendingPut } from './pending-put.ts';

interface UnprocessedPuts {
  /** The puts of the batch that DynamoDB stored. */
  stored: PendingPut[];
  /** Partition keys of the other puts. */
  keys: ReadonlySet<string>;
  /** Whether DynamoDB has too little capacity for other keys than those known as throttled. */
  isOverloaded: boolean;
}

/** Moves the puts that DynamoDB returned to the queues of their keys. @param now monotonic milliseconds */
export function queueUnprocessed(
  queues: KeyQueues<PendingPut>,
  batch: readonly PendingPut[],
  { unprocessed, isTableWide }: { unprocessed: ReadonlySet<string>; isTableWide: boolean },
  now: number,
): UnprocessedPuts {
  const returned = batch.filter(({ id }) => unprocessed.has(id));
  const stored = batch.filter(({ id }) => !unprocessed.has(id));
  const overloaded = isOverloaded(queues, batch, returned);
  const keys = Map.groupBy(returned, ({ pk }) => pk);
  for (const [pk, puts] of keys) {
    const taken = stored.filter((put) => put.pk === pk).length;
    queues.throttled(pk, { returned: puts, taken, isTableWide }, now);
  }
  return { stored, keys: new Set(keys.keys()), isOverloaded: overloaded };
}

/**
 * A key already known as throttled has its own backoff and does not lower the concurrency of others. The shards of one
 * family count once: a device that gets 16 shards would otherwise halve it again and again, for all devices.
 */
function isOverloaded(
  queues: KeyQueues<PendingPut>,
  batch: readonly PendingPut[],
  returned: readonly PendingPut[],
): boolean {
  const countFamilies = (puts: readonly PendingPut[]): number => {
    const keys = new Set(puts.map(({ pk }) => pk));
    return new Set([...keys].filter((pk) => !queues.isThrottled(pk)).map(familyOf)).size;
  };
  const throttled = countFamilies(returned);
  return throttled > 1 && throttled > countFamilies(batch) / 2;
}

const noKeys: ReadonlySet<string> = new Set();

/** Informs the queues of stored puts. @param throttled keys of which a part was not stored */
export function markTaken(
  queues: KeyQueues<PendingPut>,
  stored: readonly PendingPut[],
  throttled = noKeys,
): void {
  const now = performance.now();
  for (const pk of new Set(stored.map((put) => put.pk))) {
    if (!throttled.has(pk)) queues.taken(pk, now);
  }
}
