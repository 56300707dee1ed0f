import { invariant } from '@engawa/errors';
import { boundedKey } from '../keys/bounded-key.ts';
import { FreshCounts } from '../history/fresh-counts.ts';
import { LeastHeap } from './least-heap.ts';
import { paneCount } from './time-window.ts';

export interface SlidingSketchOptions {
  /** Keys that are counted at the same time. */
  capacity: number;
  /** Whether each record has a second value, which is summed but does not affect the order. */
  carries?: boolean;
  /** Called for a key that is replaced, with its weight since the last call of `takeFresh`, if above 0. */
  onReplace?: (key: string, fresh: number) => void;
}

/** The counts of one key over the window. */
export interface CountEstimate {
  /** Never an underestimate. */
  estimate: number;
  /** Maximum overestimate of `estimate`: `estimate - error` has been counted. */
  error: number;
  /** The sum of the second value while the key was counted: never an overestimate. */
  carried: number;
}

/**
 * Bytes of a key in addition to its characters, with its entry in the map (V8, 64 bits: measured with constantly
 * changing keys).
 */
const bytesPerKey = 140;

const inside = 'a slot and its cells are within the sketch';

/**
 * The heaviest of any number of keys over a sliding window, in bounded memory: weighted Space-Saving (Metwally,
 * Agrawal, El Abbadi: Efficient Computation of Frequent and Top-k Elements in Data Streams, 2005) with a ring of panes
 * for each key. A new key replaces the smallest and inherits the maximum that an uncounted key can have had. The counts
 * of heavy keys stay exact: they are never replaced, and what a key has inherited leaves the window with its panes.
 */
export class SlidingSketch {
  readonly #capacity: number;
  readonly #slots = new Map<string, number>();
  readonly #keys: string[] = [];
  /** Counted and inherited values: a ring of panes for each slot. */
  readonly #counted: Float64Array;
  readonly #inherited: Float64Array;
  readonly #carried: Float64Array | undefined;
  /** The sum of both rings for each slot. */
  readonly #estimates: Float64Array;
  /** The maximum of an uncounted key in each pane and later ones. */
  readonly #missed = new Float64Array(paneCount);
  /** Used once all slots are occupied. */
  readonly #order: LeastHeap;
  readonly #fresh: FreshCounts;
  readonly #onReplace: SlidingSketchOptions['onReplace'];
  #pane = 0;

  constructor({ capacity, carries = false, onReplace }: SlidingSketchOptions) {
    this.#capacity = capacity;
    this.#fresh = new FreshCounts(capacity);
    this.#onReplace = onReplace;
    this.#counted = new Float64Array(capacity * paneCount);
    this.#inherited = new Float64Array(capacity * paneCount);
    this.#carried = carries ? new Float64Array(capacity * paneCount) : undefined;
    this.#estimates = new Float64Array(capacity);
    this.#order = new LeastHeap(this.#estimates);
  }

  /** @param weight above 0 */
  add(key: string, weight: number, carried = 0): void {
    const kept = boundedKey(key);
    const slot = this.#slots.get(kept) ?? this.#admit(kept);
    const cell = slot * paneCount + this.#pane;
    this.#counted[cell] = invariant(this.#counted[cell], inside) + weight;
    this.#estimates[slot] = invariant(this.#estimates[slot], inside) + weight;
    if (this.#carried !== undefined)
      this.#carried[cell] = invariant(this.#carried[cell], inside) + carried;
    if (this.#keys.length === this.#capacity) this.#order.rose(slot);
  }

  /** Undefined for an uncounted key: its value is at most `missed`. */
  read(key: string): CountEstimate | undefined {
    const slot = this.#slots.get(boundedKey(key));
    if (slot === undefined) return undefined;
    return {
      estimate: invariant(this.#estimates[slot], inside),
      error: this.#sum(this.#inherited, slot),
      carried: this.#carried === undefined ? 0 : this.#sum(this.#carried, slot),
    };
  }

  /** The estimate within the current and the previous pane. */
  latest(key: string): number {
    const slot = this.#slots.get(boundedKey(key));
    if (slot === undefined) return 0;
    const panes = [this.#pane, (this.#pane + paneCount - 1) % paneCount];
    const cells = panes.map((pane) => slot * paneCount + pane);
    return cells.reduce(
      (sum, cell) =>
        sum + invariant(this.#counted[cell], inside) + invariant(this.#inherited[cell], inside),
      0,
    );
  }

  /** The most that was counted of a key in one pane: never an overestimate. */
  busiest(key: string): number {
    const slot = this.#slots.get(boundedKey(key));
    if (slot === undefined) return 0;
    return Math.max(...this.#counted.subarray(slot * paneCount, (slot + 1) * paneCount));
  }

  /** The maximum value of an uncounted key. */
  get missed(): number {
    return invariant(this.#missed[(this.#pane + 1) % paneCount], inside);
  }

  /** The keys with the largest estimates, in descending order; keys without records in the window are omitted. */
  largest(count: number): string[] {
    const best: number[] = [];
    const estimateOf = (slot = -1): number => this.#estimates[slot] ?? 0;
    for (let slot = 0; slot < this.#keys.length; slot++) {
      const estimate = estimateOf(slot);
      if (estimate <= (best.length < count ? 0 : estimateOf(best.at(-1)))) continue;
      if (best.length === count) best.pop();
      const place = best.findIndex((other) => estimateOf(other) < estimate);
      best.splice(place === -1 ? best.length : place, 0, slot);
    }
    return best.map((slot) => invariant(this.#keys[slot], inside));
  }

  /** Visits each key that was recorded since the last call, with its exact weight since then. */
  takeFresh(visit: (key: string, fresh: number) => void): void {
    for (let slot = 0; slot < this.#keys.length; slot++) {
      const fresh = this.#fresh.take(slot, this.#current(slot));
      if (fresh > 0) visit(invariant(this.#keys[slot], inside), fresh);
    }
  }

  /** This many panes have ended: as many of the oldest are cleared. */
  turn(panes: number): void {
    if (panes >= paneCount) {
      this.#clear();
      return;
    }
    for (let slot = 0; slot < this.#keys.length; slot++) {
      this.#fresh.endPane(slot, this.#current(slot));
    }
    for (let turned = 0; turned < panes; turned++) {
      this.#pane = (this.#pane + 1) % paneCount;
      this.#missed[this.#pane] = 0;
      for (let slot = 0; slot < this.#keys.length; slot++) this.#forget(slot, this.#pane);
    }
    for (let slot = 0; slot < this.#keys.length; slot++) {
      this.#estimates[slot] = this.#sum(this.#counted, slot) + this.#sum(this.#inherited, slot);
    }
    if (this.#keys.length === this.#capacity) this.#order.rebuild(this.#capacity);
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    const arrays = [this.#counted, this.#inherited, this.#carried, this.#estimates];
    const numbers = arrays.reduce(
      (sum, array) => sum + (array?.byteLength ?? 0),
      this.#fresh.bytes,
    );
    const keys = this.#keys.reduce((sum, key) => sum + key.length + bytesPerKey, 0);
    return numbers + this.#order.bytes + keys;
  }

  #admit(key: string): number {
    const free = this.#keys.length < this.#capacity;
    const slot = free ? this.#keys.length : this.#replaceLeast();
    this.#keys[slot] = key;
    this.#slots.set(key, slot);
    if (free && this.#keys.length === this.#capacity) this.#order.rebuild(this.#capacity);
    return slot;
  }

  /**
   * Frees a slot for a key that may have had as much as the largest replaced key. Panes expire from the oldest on, so
   * the bound is kept for each pane and the later ones; a sum of the maxima of single panes would be far larger.
   */
  #replaceLeast(): number {
    const slot = this.#order.least;
    this.#release(slot);
    this.#slots.delete(invariant(this.#keys[slot], inside));
    let [had, most] = [0, 0];
    for (let age = 0; age < paneCount; age++) {
      const pane = (this.#pane - age + paneCount) % paneCount;
      const cell = slot * paneCount + pane;
      had += invariant(this.#counted[cell], inside) + invariant(this.#inherited[cell], inside);
      const mostFromHere = Math.max(invariant(this.#missed[pane], inside), had);
      this.#missed[pane] = mostFromHere;
      this.#forget(slot, pane);
      this.#inherited[cell] = mostFromHere - most;
      most = mostFromHere;
    }
    this.#estimates[slot] = most;
    return slot;
  }

  /** Hands over what was not taken of a slot whose key is dropped. */
  #release(slot: number): void {
    const fresh = this.#fresh.take(slot, this.#current(slot));
    this.#fresh.forget(slot);
    if (fresh > 0) this.#onReplace?.(invariant(this.#keys[slot], inside), fresh);
  }

  /** The count of a slot in the current pane. */
  #current(slot: number): number {
    return invariant(this.#counted[slot * paneCount + this.#pane], inside);
  }

  #forget(slot: number, pane: number): void {
    const cell = slot * paneCount + pane;
    this.#counted[cell] = 0;
    this.#inherited[cell] = 0;
    if (this.#carried !== undefined) this.#carried[cell] = 0;
  }

  #sum(panes: Float64Array, slot: number): number {
    let sum = 0;
    const end = (slot + 1) * paneCount;
    for (let cell = slot * paneCount; cell < end; cell++) sum += invariant(panes[cell], inside);
    return sum;
  }

  #clear(): void {
    for (let slot = 0; slot < this.#keys.length; slot++) this.#release(slot);
    this.#slots.clear();
    this.#keys.length = 0;
    this.#missed.fill(0);
    for (const array of [this.#counted, this.#inherited, this.#carried, this.#estimates]) {
      array?.fill(0);
    }
  }
}
