import type { ClientWork, RequestBudget } from '@engawa/http';
import type { CounterRules } from '@engawa/model';
import type { Logger } from 'pino';
import type { DeviceSummaries } from './device-summaries.ts';
import type { FunctionName, RateUnit, StateFunctionName } from './functions.ts';
import type { Period } from './period.ts';
import type { StateReader } from './states/state-reader.ts';
import type { ValueSearch } from './value-search.ts';

/** The sources of aggregates. */
export interface AggregateSource {
  summaries: DeviceSummaries;
  values: ValueSearch;
  states: Pick<StateReader, 'sharesOf'>;
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
  /** Need `fields`. */
  stateFunctions: readonly StateFunctionName[];
  /** Epoch milliseconds: values are held until then at most. */
  now: number;
  /** Whether the last value of a field is wanted in buckets where it no longer counts. */
  keepsLast: boolean;
  /** By default all numeric fields. */
  fields?: ReadonlySet<string> | undefined;
  counter: CounterRules;
  rateUnit: RateUnit;
  budget: RequestBudget;
  /** Gets the names of all fields with readings in the buckets, as far as they are known. */
  seen: Set<string>;
  work: ClientWork;
  signal: AbortSignal;
  log: Logger;
}
