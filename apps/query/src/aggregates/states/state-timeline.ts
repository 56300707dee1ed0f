import { invariant } from '@engawa/errors';
import { FieldStates, stateOf } from './field-states.ts';
import type { FieldValue, Reading } from '@engawa/model';
import type { State } from './field-states.ts';

/** A value of a field and when it was reported, in epoch milliseconds. */
export interface TimedState {
  time: number;
  value: FieldValue;
}

/** The states of the fields of one device in one bucket. */
export interface BucketStates {
  byField: ReadonlyMap<string, FieldStates>;
  /**
   * Epoch milliseconds: the oldest of the last reports of the fields before the bucket. A report that was lost counts
   * if it was later.
   */
  certainSince: number;
}

export interface TimelineOptions {
  /** Epoch milliseconds, ascending: the boundaries of the buckets. */
  edges: readonly number[];
  fields: ReadonlySet<string>;
  /** The last values before the first bucket, by field. */
  before: ReadonlyMap<string, TimedState>;
  maxStates: number;
}

interface CurrentState extends State {
  /** Epoch milliseconds: until then it is counted. */
  countedUntil: number;
}

/** The states of the fields of one device, from bucket to bucket. */
export class StateTimeline {
  /** The complete ones, from the first on. */
  readonly buckets: BucketStates[] = [];
  /** Number of states in the complete buckets. */
  size = 0;
  /** The first known report of each field, in epoch milliseconds; -Infinity with a value before the buckets. */
  readonly firstReports: Map<string, number>;
  readonly #options: TimelineOptions;
  readonly #current = new Map<string, CurrentState>();
  /** Epoch milliseconds of the last report of each field. */
  readonly #reportedAt: Map<string, number>;
  /** Of the open bucket. */
  #states = new Map<string, FieldStates>();
  #certainSince: number;

  constructor(options: TimelineOptions) {
    const { before } = options;
    this.#options = options;
    this.#reportedAt = new Map([...before].map(([name, { time }]) => [name, time]));
    this.#certainSince = Math.min(...this.#reportedAt.values());
    this.firstReports = new Map([...before.keys()].map((name) => [name, -Infinity]));
    for (const [name, { value }] of before) this.#set(name, value, this.from);
  }

  get from(): number {
    return invariant(this.#options.edges[0], 'a timeline has a beginning');
  }

  get to(): number {
    return invariant(this.#options.edges.at(-1), 'a timeline has an end');
  }

  get isComplete(): boolean {
    return this.buckets.length >= this.#options.edges.length - 1;
  }

  /** Adds a reading within the buckets, that is not older than the ones before it. */
  add({ time, fields }: Reading): void {
    while (time >= this.#end) this.#complete();
    for (const name of this.#options.fields) {
      if (!Object.hasOwn(fields, name)) continue;
      this.#reportedAt.set(name, time);
      if (!this.firstReports.has(name)) this.firstReports.set(name, time);
      this.#report(name, fields[name] ?? null, time);
    }
  }

  /** Completes the buckets: there are no further readings. */
  end(): void {
    while (!this.isComplete) this.#complete();
  }

  /** The end of the open bucket. */
  get #end(): number {
    return this.#options.edges[this.buckets.length + 1] ?? Infinity;
  }

  #report(name: string, value: FieldValue, time: number): void {
    const current = this.#current.get(name);
    const next = value === null ? undefined : stateOf(value);
    if (current !== undefined && current.key === next?.key) return;
    if (current !== undefined) {
      const states = this.#statesOf(name);
      states.add(current, time - current.countedUntil);
      if (next !== undefined) states.changes += 1;
    }
    this.#set(name, value, time);
  }

  #set(name: string, value: FieldValue, countedUntil: number): void {
    if (value === null) this.#current.delete(name);
    else this.#current.set(name, { ...stateOf(value), countedUntil });
  }

  #statesOf(name: string): FieldStates {
    const known = this.#states.get(name) ?? new FieldStates(this.#options.maxStates);
    this.#states.set(name, known);
    return known;
  }

  #complete(): void {
    const end = this.#end;
    for (const [name, current] of this.#current) {
      this.#statesOf(name).add(current, end - current.countedUntil);
      current.countedUntil = end;
    }
    this.buckets.push({ byField: this.#states, certainSince: this.#certainSince });
    for (const { size } of this.#states.values()) this.size += size + 1;
    this.#states = new Map();
    this.#certainSince = Math.min(...this.#reportedAt.values());
  }
}
