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
import { deviceNotFound } from './contest.ts';
import type { Budget } from '@engawa/http';
import type { Membership } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';

/** A time that a device spent at one place, in one room of it or in none. */
export type Stay = Omit<Membership, 'device'>;

/** Between two entries of a history. */
export interface HistoryPosition {
  /** The sort key of the last membership that has been dealt with; absent before the first. */
  sk?: string | undefined;
  /** Where memberships of the same time at a place may follow: up to when that time is not given yet. */
  open?: { place: string; until: number } | undefined;
}

export interface HistoryQuestion {
  device: string;
  limit: number;
  after?: HistoryPosition | undefined;
  budget: Budget;
  signal: AbortSignal;
}

export interface HistoryPage {
  stays: Stay[];
  after?: HistoryPosition;
}

interface Step {
  stay: Stay;
  /** Where a page goes on that ends with it. */
  position: HistoryPosition;
}

/**
 * Where a device has been, the newest first: one Query of its memberships a page, a GetItem of the device, and, where a page
 * ends in the midst of a time at a place, a Query for when that ended.
 */
export async function readHistory(table: Table, question: HistoryQuestion): Promise<HistoryPage> {
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
  const cut = page.next && (await stayCutOff(table, question, rows));
  const { steps, end } = merged(rows, after, cut);
  const stays = steps.slice(0, limit).map(({ stay }) => stay);
  if (steps.length > limit) return { stays, after: steps[limit - 1]?.position ?? end };
  return page.next === undefined ? { stays } : { stays, after: end };
}

/**
 * Makes one history of two kinds of rows: each room's, and behind them (they began no earlier) that of the place as a whole.
 * What the former leave uncovered of the latter was spent in no room.
 */
function merged(rows: readonly Membership[], from: HistoryPosition, cut: Stay | undefined) {
  const steps: Step[] = [];
  let { sk, open } = from;
  for (const [index, row] of rows.entries()) {
    const { place, room, since } = row;
    if (open?.place !== place) {
      const whole = wholeStay(rows.slice(index), place) ?? (cut?.place === place ? cut : undefined);
      open = { place, until: (whole === undefined ? row.until : whole.until) ?? Infinity };
    }
    const ended = room === undefined ? since : (row.until ?? open.until);
    if (ended < open.until) {
      const position = { sk, open: { place, until: ended } };
      steps.push({ stay: { place, since: ended, ...until(open.until) }, position });
    }
    sk = membershipIndexKey(row).gsi1sk;
    open = room === undefined ? undefined : { place, until: since };
    if (room !== undefined) {
      steps.push({ stay: { place, room, since, ...until(ended) }, position: { sk, open } });
    }
  }
  return { steps, end: { sk, open } };
}

function until(time: number): { until?: number } {
  return time === Infinity ? {} : { until: time };
}

/** The membership of the place as a whole that these rows, the newest first, are parts of. */
function wholeStay(rows: readonly Membership[], place: string): Membership | undefined {
  const whole = rows.find((row) => row.room === undefined || row.place !== place);
  return whole?.place === place ? whole : undefined;
}

/** The membership of the place as a whole that is not among these rows although the last of them is a part of it. */
async function stayCutOff(
  table: Table,
  { device, budget, signal }: HistoryQuestion,
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
