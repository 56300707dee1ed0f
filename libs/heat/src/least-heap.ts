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
    return this.#heap[0] ?? 0;
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
    this.#sink(this.#places[slot] ?? 0);
  }

  #sink(from: number): void {
    const slot = this.#heap[from] ?? 0;
    const value = this.#values[slot] ?? 0;
    let place = from;
    for (let child = 2 * place + 1; child < this.#size; child = 2 * place + 1) {
      const next = child + 1;
      if (next < this.#size && this.#valueAt(next) < this.#valueAt(child)) child = next;
      if (value <= this.#valueAt(child)) break;
      this.#put(this.#heap[child] ?? 0, place);
      place = child;
    }
    this.#put(slot, place);
  }

  #valueAt(place: number): number {
    return this.#values[this.#heap[place] ?? 0] ?? 0;
  }

  #put(slot: number, place: number): void {
    this.#heap[place] = slot;
    this.#places[slot] = place;
  }
}
