import { invariant } from '@engawa/errors';
import { StateTimeline } from './state-timeline.ts';
import type { RequestBudget } from '@engawa/http';
import type { Period } from '../period.ts';
import type { StateFunctionName } from '../functions.ts';
import type { FoundStates } from '../value-search.ts';
import type { FieldStates } from './field-states.ts';

export interface StatesRequest {
  device: string;
  /** The device's stays, in order of time. */
  periods: readonly Period[];
  /** Epoch milliseconds, ascending: the boundaries of the buckets. */
  edges: readonly number[];
  fields: ReadonlySet<string>;
  stateFunctions: readonly StateFunctionName[];
  maxStates: number;
  /** Epoch milliseconds: states last until then at most. */
  now: number;
  /** Whether the response is about this device alone. */
  isOnly: boolean;
  /** Maximum states in the buckets after the first one. */
  maxValues: number;
  budget: RequestBudget;
  /** Pays for the rest of the first bucket once the budget is spent. */
  firstBucket: RequestBudget;
  /** Gets the names of all fields with readings. */
  seen: Set<string>;
  signal: AbortSignal;
}

/** The contribution of one stay of a device to the buckets from `first` on. */
export interface StateShare {
  first: number;
  states: readonly DeviceStates[];
  /** Number of complete buckets, counted from the first of the request. */
  known: number;
}

/** The states of a device in a bucket. */
export interface DeviceStates {
  byField: ReadonlyMap<string, FieldStates>;
  /** Whether a value that counts may have expired, or was not found. */
  isUncertain: boolean;
}

/** The part of a stay in the buckets. */
export interface StateStay {
  /** The number of its first bucket. */
  first: number;
  /** The beginning of the whole stay. */
  since: number;
  timeline: StateTimeline;
  /** The values before it; undefined where the stay begins with the buckets. */
  found: FoundStates | undefined;
}

/** @param found the last values before the first bucket */
export function staysOf(request: StatesRequest, found: FoundStates | undefined): StateStay[] {
  const { edges, fields, maxStates, periods, now } = request;
  const [begin = Infinity] = edges;
  return periods.flatMap((period): StateStay[] => {
    const from = Math.max(period.from, begin);
    const to = Math.min(period.to, edges.at(-1) ?? -Infinity, now);
    if (from >= to) return [];
    const since = period.since ?? period.from;
    const earlier = from === begin && since < begin ? found : undefined;
    const own = [from, ...edges.filter((edge) => edge > from && edge < to), to];
    const before = earlier?.values ?? new Map<string, never>();
    const timeline = new StateTimeline({ edges: own, fields, maxStates, before });
    const first = edges.findLastIndex((edge) => edge <= from);
    return [{ first, since, timeline, found: earlier }];
  });
}

/** @param lost epoch milliseconds: readings before this may have expired */
export function sharesOfStays(
  request: StatesRequest & { stays: readonly StateStay[] },
  lost: number,
): StateShare[] {
  const { edges, fields, isOnly, stays, stateFunctions } = request;
  const countsChanges = stateFunctions.includes('changes');
  return stays.map(({ first, since, timeline, found }) => {
    const { buckets, firstReports, isComplete, from } = timeline;
    const expired = lost > since ? lost : -Infinity;
    // Of several devices, most do not have every field: only the reports of a device show that it has a field.
    const doubtful = [...fields].filter((name) => {
      const isOpen = expired > -Infinity || found?.unread.includes(name) === true;
      return isOpen && (isOnly || firstReports.has(name));
    });
    const certainFrom = Math.max(...doubtful.map((name) => firstReports.get(name) ?? Infinity));
    const states = buckets.map(({ byField, certainSince }, index): DeviceStates => {
      const start =
        index === 0 ? from : invariant(edges[first + index], 'each bucket has a beginning');
      // A report at the very beginning tells all durations, but not whether it is a change.
      const isOpen = countsChanges ? start <= certainFrom : start < certainFrom;
      return { byField, isUncertain: isOpen || expired > certainSince };
    });
    return { first, states, known: isComplete ? edges.length - 1 : first + buckets.length };
  });
}
