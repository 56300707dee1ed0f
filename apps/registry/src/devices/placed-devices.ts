import { compareBytes, deviceListKey, deviceSeenKey } from '@engawa/keys';
import { readCollection } from '../places/place-collection.ts';
import type { RequestBudget } from '@engawa/http';
import type { Device, Placement } from '@engawa/model';
import type { MergedPage, ShardRow, Table } from '@engawa/table';
import type { ListRequest } from '../lists/list-matching.ts';

export interface PlacedRequest {
  place: string;
  /** Maximum number of devices to read. */
  maxDevices: number;
  budget: RequestBudget;
  signal: AbortSignal;
}

const pageSize = 1000;

/** The placements of a place: one consistent Query per 1,000. Undefined where there are more than `maxDevices`. */
export async function readPlacements(
  table: Table,
  { maxDevices, ...question }: PlacedRequest,
): Promise<Placement[] | undefined> {
  const placements: Placement[] = [];
  let after: string | undefined;
  do {
    const limit = Math.min(pageSize, maxDevices - placements.length);
    if (limit === 0) return undefined;
    const page = await readCollection(table, { ...question, part: 'devices', limit, after });
    if (page === undefined) return [];
    placements.push(...page.devices);
    after = page.after;
  } while (after !== undefined);
  return placements;
}

/** The sort key of a placed device in the list by name. */
export function nameSortKey({ device, name }: Placement): string {
  return deviceListKey(0, name, device).gsi1sk;
}

/** The sort key of a device in the list by last seen. */
export function seenSortKey({ id, lastSeenAt }: Device): string {
  return deviceSeenKey(0, lastSeenAt, id).gsi2sk;
}

/** A page of rows in memory. */
export function pageOf<R extends ShardRow>(
  rows: readonly R[],
  { limit, after, descending = false }: ListRequest & { descending?: boolean | undefined },
): MergedPage<R> {
  const compare = (left: string, right: string) =>
    descending ? compareBytes(right, left) : compareBytes(left, right);
  const left = rows
    .filter(({ sortKey }) => after === undefined || compare(sortKey, after) > 0)
    .toSorted((one, other) => compare(one.sortKey, other.sortKey));
  const page = left.slice(0, limit);
  return left.length > limit ? { rows: page, after: page.at(-1)?.sortKey } : { rows: page };
}
