import type { ClientWork, RequestBudget } from '@engawa/http';
import type { CounterRules } from '@engawa/model';
import type { Logger } from 'pino';
import type { TimeRange } from '../time-range.ts';
import type { FunctionName, RateUnit } from './functions.ts';

/** The time of which a device's readings count, such as its time in the requested room. */
export interface Period extends TimeRange {
  device: string;
}

/** Periods that share one series of buckets. */
export interface PeriodGroup {
  /** The id of a device or a room; undefined without grouping, and for readings taken in no room. */
  name: string | undefined;
  periods: readonly Period[];
}

export interface AggregateRequest {
  groups: readonly PeriodGroup[];
  /** Epoch milliseconds, ascending: the boundaries of the buckets. */
  edges: readonly number[];
  /** Epoch milliseconds: the beginning of the whole range, of which these buckets may be a later page. */
  from: number;
  /** Maximum number of buckets, after those of the first time that were on the page before. */
  limit: number;
  skipped: number;
  functions: readonly FunctionName[];
  /** By default all numeric fields. */
  fields?: ReadonlySet<string> | undefined;
  counter: CounterRules;
  rateUnit: RateUnit;
  budget: RequestBudget;
  work: ClientWork;
  signal: AbortSignal;
  log: Logger;
}
