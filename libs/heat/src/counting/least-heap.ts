import { invariant } from '@engawa/errors';

const inside = 'a position of the heap has a slot with a value';

/** A binary heap of the first `size` slots by value, updated while values rise: the root has the minimum value. */
export class LeastHeap {
  readonly #values: Float64Array;
  /** Slots; each has at least the value of its parent, which is at half its position. */
  readonly #heap: Uint16Array;
  /** The position of each slot in the heap. */
  readonly #places: Uint16Array;
  #size = 0;

  constructor(values: Float64Array) {
    this.#values = values;
    this.#heap = new Uint16Array(values.length);
    this.#places = new Uint16Array(values.length);
  }

  get least(): number {
    return invariant(this.#heap[0], inside);
  }

  get bytes(): number {
    return this.#heap.byteLength + this.#places.byteLength;
  }

  /** Rebuilds the heap after arbitrary changes of values. */
  rebuild(size: number): void {
    this.#size = size;
    for (let slot = 0; slot < size; slot++) this.#put(slot, slot);
    for (let place = (size >> 1) - 1; place >= 0; place--) this.#sink(place);
  }

  /** Restores the heap after the value of `slot` has increased. */
  rose(slot: number): void {
    this.#sink(invariant(this.#places[slot], inside));
  }

  #sink(from: number): void {
    const slot = invariant(this.#heap[from], inside);
    const value = invariant(this.#values[slot], inside);
    let place = from;
    for (let child = 2 * place + 1; child < this.#size; child = 2 * place + 1) {
      const next = child + 1;
      if (next < this.#size && this.#valueAt(next) < this.#valueAt(child)) child = next;
      if (value <= this.#valueAt(child)) break;
      this.#put(invariant(this.#heap[child], inside), place);
      place = child;
    }
    this.#put(slot, place);
  }

  #valueAt(place: number): number {
    return invariant(this.#values[invariant(this.#heap[place], inside)], inside);
  }

  #put(slot: number, place: number): void {
    this.#heap[place] = slot;
    this.#places[slot] = place;
  }
}
