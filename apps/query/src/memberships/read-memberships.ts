import {
  deviceMembershipsPartition,
  earliestInstant,
  membershipIndexTime,
  membershipKey,
  membersPartition,
} from '@engawa/keys';
import { parseMembership } from '@engawa/model';
import type { RequestBudget } from '@engawa/http';
import type { Membership } from '@engawa/model';
import type { QueryRequest, Table } from '@engawa/table';
import type { TimeRange } from '../time-range.ts';

/** Memberships of one partition. */
export interface MembershipRows {
  /** All that overlap the range that was read, and perhaps others. */
  memberships: readonly Membership[];
  /** Whether these are all memberships of the partition. */
  isWhole: boolean;
  /** Epoch milliseconds, at or before the range: those that overlap the time in between are known as well. */
  knownSince: number;
}

export interface MembershipsRequest extends TimeRange {
  table: Pick<Table, 'query'>;
  budget: Pick<RequestBudget, 'charge'>;
}

/** Items of the first page: about one read unit. Each further page has twice as many. */
const firstPage = 50;

/** A partition of memberships in order of time, perhaps after their devices. */
interface MembershipList {
  query: QueryRequest;
  /** The last sort key of the memberships of a device that begin before a time. */
  keyBefore: (device: string, time: number) => string;
  /** Whether there are several devices. */
  isByDevice: boolean;
}

/**
 * The memberships of a room, or of a place as a whole, that overlap a range. They are read from the end. The rest of a
 * device's memberships that begin after the range, or that are older than the last one before it, is skipped if such
 * memberships fill half a page: so a page or two per device are enough, however often it has moved.
 */
export function readMembers(
  { place, room }: Pick<Membership, 'place' | 'room'>,
  request: MembershipsRequest,
): Promise<MembershipRows> {
  return readBackwards(request, {
    query: { pk: membersPartition(place, room) },
    keyBefore: (device, time) => {
      const since = Math.max(earliestInstant, time - 1);
      return membershipKey({ place, room, device, since }).sk;
    },
    isByDevice: true,
  });
}

/**
 * The memberships of a device that overlap a range: of rooms, and of places as a whole. They are read from the end up
 * to the last one that begins before the range. If that is one of a room, one more Query finds the membership of its
 * place, which may be much older.
 */
export async function readHistory(
  device: string,
  request: MembershipsRequest,
): Promise<MembershipRows> {
  const rows = await readBackwards(request, {
    query: {
      index: 'gsi1',
      pk: deviceMembershipsPartition(device),
      sk: { from: membershipIndexTime(earliestInstant) },
    },
    keyBefore: (_, time) => membershipIndexTime(Math.max(earliestInstant, time)),
    isByDevice: false,
  });
  const oldest = rows.memberships.at(-1);
  if (rows.isWhole || oldest?.room === undefined) return rows;
  const whole = await membershipOfPlace(oldest, request);
  return { ...rows, memberships: [...rows.memberships, ...whole] };
}

/** The membership of the place as a whole that contains the beginning of one of a room. */
async function membershipOfPlace(
  { place, device, since }: Membership,
  { table, budget }: MembershipsRequest,
): Promise<Membership[]> {
  const { pk, sk: to } = membershipKey({ place, device, since });
  const { sk: from } = membershipKey({ place, device, since: earliestInstant });
  const { items, units } = await table.query({ pk, sk: { from, to }, descending: true, limit: 1 });
  budget.charge(units);
  return items.map(parseMembership);
}

async function readBackwards(
  { table, budget, ...range }: MembershipsRequest,
  list: MembershipList,
): Promise<MembershipRows> {
  const memberships: Membership[] = [];
  let isWhole = true;
  let request: QueryRequest = { ...list.query, descending: true, limit: firstPage };
  for (;;) {
    const { items, next, units } = await table.query(request);
    budget.charge(units);
    const rows = items.map(parseMembership);
    memberships.push(...rows);
    const last = rows.at(-1);
    if (next === undefined || last === undefined) {
      const knownSince = isWhole || !list.isByDevice ? -Infinity : range.from;
      return { memberships, isWhole, knownSince };
    }
    if (!list.isByDevice && last.since <= range.from) {
      return { memberships, isWhole: false, knownSince: last.since };
    }
    const to = skippedTo(rows, last, { list, range });
    if (to === undefined) {
      request = { ...request, after: next, limit: 2 * rows.length };
      continue;
    }
    isWhole = false;
    request = { ...list.query, sk: { ...list.query.sk, to }, descending: true, limit: firstPage };
  }
}

/** The sort key at which to continue if half of a page or more is of one device, and on one side of the range. */
function skippedTo(
  rows: readonly Membership[],
  last: Membership,
  { list, range: { from, to } }: { list: MembershipList; range: TimeRange },
): string | undefined {
  const sideOf = ({ since }: Membership) => (since >= to ? 'after' : since <= from && 'before');
  const side = sideOf(last);
  const others = rows.findLastIndex((row) => row.device !== last.device || sideOf(row) !== side);
  if (side === false || rows.length - 1 - others < rows.length / 2) return undefined;
  return list.keyBefore(last.device, side === 'after' ? to : earliestInstant);
}
