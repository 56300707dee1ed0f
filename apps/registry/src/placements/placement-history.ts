import { invariant } from '@engawa/errors';
import {
  decodeTuple,
  deviceKey,
  deviceMembershipsPartition,
  earliestInstant,
  membershipIndexKey,
  membershipKey,
  parseInstant,
} from '@engawa/keys';
import { parseMembership, unlessDeleted } from '@engawa/model';
import { deviceNotFound } from '../problems.ts';
import type { RequestBudget } from '@engawa/http';
import type { Membership } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';

/** A time that a device spent at one place, in one room of it or in none. */
export type PlacementPeriod = Omit<Membership, 'device'>;

/** A position between two entries of a history. */
export interface HistoryPosition {
  /** The sort key of the last processed membership; absent before the first. */
  sk?: string | undefined;
  /** The unreported rest of a time at a place, of which memberships may follow. */
  open?: { place: string; until: number } | undefined;
}

export interface HistoryRequest {
  device: string;
  limit: number;
  after?: HistoryPosition | undefined;
  budget: RequestBudget;
  signal: AbortSignal;
}

export interface HistoryPage {
  entries: HistoryEntry[];
  after?: HistoryPosition;
}

export interface HistoryEntry {
  period: PlacementPeriod;
  /** The position after it. */
  position: HistoryPosition;
}

/**
 * The history of a device, newest first: per page one Query of its memberships, one GetItem of the
 * device, and one Query for the end of a time at a place that the page boundary cuts.
 */
export async function readHistory(table: Table, question: HistoryRequest): Promise<HistoryPage> {
  const { device, limit, after = {}, budget, signal } = question;
  const [item, page] = await Promise.all([
    table.get(deviceKey(device), { signal }),
    table.query({
      index: 'gsi1',
      pk: deviceMembershipsPartition(device),
      sk: { beginsWith: 'MEMBER#' },
      descending: true,
      limit,
      ...(after.sk !== undefined && { after: startKey(device, after.sk) }),
      signal,
    }),
  ]);
  budget.charge(page.units + 1);
  if (unlessDeleted(item) === undefined) throw deviceNotFound(device);
  const rows = page.items.map(parseMembership);
  const cut = page.next && (await cutOffPeriod(table, question, rows));
  const { steps, end } = merged(rows, after, cut);
  const entries = steps.slice(0, limit);
  if (steps.length > limit) {
    const { position } = invariant(entries.at(-1), 'a page has at least one entry');
    return { entries, after: position };
  }
  return page.next === undefined ? { entries } : { entries, after: end };
}

/**
 * Merges two kinds of memberships into one history: those of rooms, and that of the place as a
 * whole, which follows them since it began no later. The parts that no room covers were spent in no
 * room.
 */
function merged(
  rows: readonly Membership[],
  from: HistoryPosition,
  cut: PlacementPeriod | undefined,
) {
  const steps: HistoryEntry[] = [];
  let { sk, open } = from;
  for (const [index, row] of rows.entries()) {
    const { place, room, since } = row;
    if (open?.place !== place) {
      const whole =
        wholePeriod(rows.slice(index), place) ?? (cut?.place === place ? cut : undefined);
      open = { place, until: (whole === undefined ? row.until : whole.until) ?? Infinity };
    }
    const ended = room === undefined ? since : (row.until ?? open.until);
    if (ended < open.until) {
      const position = { sk, open: { place, until: ended } };
      steps.push({ period: { place, since: ended, ...until(open.until) }, position });
    }
    sk = membershipIndexKey(row).gsi1sk;
    open = room === undefined ? undefined : { place, until: since };
    if (room !== undefined) {
      steps.push({ period: { place, room, since, ...until(ended) }, position: { sk, open } });
    }
  }
  return { steps, end: { sk, open } };
}

function until(time: number): { until?: number } {
  return time === Infinity ? {} : { until: time };
}

/** The membership of the whole place that contains these rows, which are newest first. */
function wholePeriod(rows: readonly Membership[], place: string): Membership | undefined {
  const whole = rows.find((row) => row.room === undefined || row.place !== place);
  return whole?.place === place ? whole : undefined;
}

/** The membership of the whole place that contains the last row and is not among the rows. */
async function cutOffPeriod(
  table: Table,
  { device, budget, signal }: HistoryRequest,
  rows: readonly Membership[],
): Promise<Membership | undefined> {
  const last = rows.at(-1);
  if (last?.room === undefined) return undefined;
  const { place, since } = last;
  const { pk, sk } = membershipKey({ place, device, since });
  const from = membershipKey({ place, device, since: earliestInstant }).sk;
  const question = { pk, sk: { from, to: sk }, descending: true, limit: 1, signal };
  const { items, units } = await table.query(question);
  budget.charge(units);
  return items.map(parseMembership)[0];
}

function startKey(device: string, gsi1sk: string): PageKey {
  const [, since = '', place = '', room] = decodeTuple(gsi1sk);
  const address = { place, room, device, since: parseInstant('since', since) };
  return { ...membershipKey(address), ...membershipIndexKey(address) };
}
