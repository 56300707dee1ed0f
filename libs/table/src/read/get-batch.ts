import { setTimeout as delay } from 'node:timers/promises';
import { backoff } from '../client/backoff.ts';
import { keyAttributes } from '../items/item-id.ts';
import { unmarshal } from '../items/unmarshal.ts';
import { unitsOfItems } from './read-units.ts';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Attributes } from '../items/marshal.ts';
import type { ItemClient } from './item-client.ts';
import type { ReadOptions } from './query-request.ts';

export interface GetBatchOptions extends ReadOptions {
  client: ItemClient;
  tableName: string;
}

export interface FoundItems {
  /** The items that exist, in no order. */
  items: Document[];
  /** Read units consumed; estimated by size where DynamoDB does not report them. */
  units: number;
}

/**
 * The items of at most 100 different keys. Unprocessed keys (the response has 16 MB, or a partition is throttled) are
 * requested again, with backoff, until all are processed or the signal aborts.
 */
export async function getBatch(
  options: GetBatchOptions,
  keys: readonly Key[],
): Promise<FoundItems> {
  const { client, tableName, ...readOptions } = options;
  const { consistent, signal } = readOptions;
  const found: FoundItems = { items: [], units: 0 };
  let remaining: Attributes[] = keys.map(keyAttributes);
  for (let failures = 0; remaining.length > 0;) {
    const requested = remaining.length;
    const output = await client.getBatch(remaining, readOptions);
    const items = (output.Responses?.[tableName] ?? []).map(unmarshal);
    found.items.push(...items);
    remaining = output.UnprocessedKeys?.[tableName]?.Keys ?? [];
    const reported = output.ConsumedCapacity?.map(({ CapacityUnits = 0 }) => CapacityUnits) ?? [];
    found.units +=
      reported.length > 0
        ? reported.reduce((sum, units) => sum + units, 0)
        : unitsOfItems(requested - remaining.length, items, consistent);
    if (remaining.length === 0) break;
    failures = remaining.length < requested ? 1 : failures + 1;
    await delay(backoff(failures), undefined, { signal });
  }
  return found;
}
