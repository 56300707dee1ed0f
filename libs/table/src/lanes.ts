import { backoff } from './backoff.ts';

/** What BatchWriteItem takes at once (API reference, "BatchWriteItem"); some bytes are left for what is around the items. */
export const batchItems = 25;
export const batchBytes = 16 * 1024 * 1024 - 4096;

/** With more keys throttled than these (shards of one family count once) it is the table that is, and no key of it. */
const mostHot = 16;

interface Entry {
  readonly pk: string;
  readonly bytes: number;
}

/** The entries of one partition key that is being throttled. */
interface Lane<Waiting> {
  entries: Waiting[];
  /** Throttled so many times in a row. */
  failures: number;
  /** Entries that are tried at once: a few more than were taken last time, since each that comes back was sent for nothing. */
  width: number;
  /** On the clock of `now`; Infinity while a part of it is on its way. */
  dueAt: number;
}

/**
 * What waits to be written, by partition key where that matters: the entries of a key that DynamoDB throttles wait in
 * a lane of their own, which sends a part at a time and backs off by itself; all others share one queue and flow on.
 * Knows no time but what it is told.
 */
export class Lanes<Waiting extends Entry> {
  #open: Waiting[] = [];
  readonly #lanes = new Map<string, Lane<Waiting>>();
  /** How many lanes each family has. */
  readonly #families = new Map<string, number>();
  readonly #random: () => number;
  #dueAt = Infinity;
  #isLanesTurn = false;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** Whether the entries that wait for nothing but room would fill a batch. */
  get hasFullBatch(): boolean {
    return this.#open.length >= batchItems;
  }

  /** When the next lane may be tried; until then `take` has nothing more to give than others' entries. */
  get dueAt(): number {
    return this.#dueAt;
  }

  /** Whether any key is throttled. */
  get hasHot(): boolean {
    return this.#lanes.size > 0;
  }

  /** Whether so many keys are throttled that it is the table which is. */
  get throttlesAll(): boolean {
    return this.#families.size > mostHot;
  }

  /** Whether this key is throttled while hardly any other is. */
  isHot(pk: string): boolean {
    return !this.throttlesAll && this.#lanes.has(pk);
  }

  add(entry: Waiting): void {
    (this.#lanes.get(entry.pk)?.entries ?? this.#open).push(entry);
  }

  /**
   * The next batch, empty if there is none: of the queue of all or of lanes, in turn where both have something. Not of both:
   * a batch is answered when the last of its items is, and one that is turned away as a whole comes with the reason.
   */
  take(now: number): Waiting[] {
    const batch = new Batch<Waiting>();
    const isLanesTurn = this.#open.length === 0 || this.#isLanesTurn;
    if (isLanesTurn && now >= this.#dueAt) this.#takeFromLanes(batch, now);
    this.#isLanesTurn = batch.entries.length === 0;
    if (this.#isLanesTurn) batch.fill(this.#open, batchItems);
    return batch.entries;
  }

  #takeFromLanes(batch: Batch<Waiting>, now: number): void {
    this.#dueAt = Infinity;
    for (const [pk, lane] of this.#lanes) {
      if (
        lane.dueAt <= now &&
        batch.fill(lane.entries, Math.min(batchItems, batch.entries.length + lane.width)) > 0
      ) {
        lane.dueAt = Infinity;
        // To the end of the line, so that each lane has its turn.
        this.#lanes.delete(pk);
        this.#lanes.set(pk, lane);
      }
      this.#dueAt = Math.min(this.#dueAt, lane.dueAt);
    }
  }

  /** Of a batch's entries with this key all were taken (or refused for good). */
  taken(pk: string, now: number): void {
    const lane = this.#lanes.get(pk);
    if (lane === undefined || isWaiting(lane)) return;
    if (lane.entries.length === 0) this.#closeLane(pk);
    else this.#schedule(lane, now);
    lane.failures = 0;
    lane.width = Math.min(batchItems, lane.width * 2);
  }

  /** These came back, and so many others of the same key and batch were `taken`: with any, it is not stuck. */
  throttled(pk: string, entries: readonly Waiting[], taken: number, now: number): void {
    const lane = this.#lanes.get(pk) ?? this.#openLane(pk);
    lane.entries.unshift(...entries);
    // From a batch that was in flight beside the one that opened the lane: it tells nothing new.
    if (isWaiting(lane)) return;
    lane.failures = taken > 0 ? 1 : lane.failures + 1;
    lane.width = taken > 0 ? taken + 1 : Math.ceil(lane.width / 2);
    this.#schedule(lane, now + backoff(lane.failures, this.#random));
  }

  /** Nobody looked at these: they go back to where they were, in front. */
  putBack(entries: readonly Waiting[], now: number): void {
    for (const entry of entries.toReversed()) {
      const lane = this.#lanes.get(entry.pk);
      (lane?.entries ?? this.#open).unshift(entry);
      if (lane) this.#schedule(lane, now);
    }
  }

  /** What waits of this key leaves the queue of all. */
  #openLane(pk: string): Lane<Waiting> {
    const entries = this.#open.filter((entry) => entry.pk === pk);
    if (entries.length > 0) this.#open = this.#open.filter((entry) => entry.pk !== pk);
    const lane = { entries, failures: 0, width: 1, dueAt: Infinity };
    this.#lanes.set(pk, lane);
    const family = familyOf(pk);
    this.#families.set(family, (this.#families.get(family) ?? 0) + 1);
    return lane;
  }

  #closeLane(pk: string): void {
    this.#lanes.delete(pk);
    const family = familyOf(pk);
    const others = (this.#families.get(family) ?? 1) - 1;
    if (others === 0) this.#families.delete(family);
    else this.#families.set(family, others);
  }

  #schedule(lane: Lane<Waiting>, dueAt: number): void {
    lane.dueAt = dueAt;
    this.#dueAt = Math.min(this.#dueAt, dueAt);
  }
}

/** `DEVICE#id` of `DEVICE#id#3`: the shards of one family are hot together. */
function familyOf(pk: string): string {
  return pk.replace(/(#[^#]+)#\d{1,2}$/, '$1');
}

/** Waits for its time, rather than for an answer. */
function isWaiting(lane: Lane<unknown>): boolean {
  return lane.dueAt < Infinity;
}

class Batch<Waiting extends Entry> {
  readonly entries: Waiting[] = [];
  #bytes = 0;

  /** Moves entries from the front of a queue until the batch holds so many. @returns how many were moved */
  fill(queue: Waiting[], items: number): number {
    let count = 0;
    for (const entry of queue) {
      const isFull = this.entries.length >= items || this.#bytes + entry.bytes > batchBytes;
      if (isFull) break;
      this.entries.push(entry);
      this.#bytes += entry.bytes;
      count += 1;
    }
    queue.splice(0, count);
    return count;
  }
}
