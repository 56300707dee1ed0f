import { present } from './present.ts';

/** Elements in the order of their positions, each position at most once: a sorted array with binary search. */
export class SortedList<Position, Element extends Position> {
  readonly #compare: (left: Position, right: Position) => number;
  readonly #elements: Element[] = [];

  constructor(compare: (left: Position, right: Position) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#elements.length;
  }

  at(index: number): Element {
    return present(this.#elements[index]);
  }

  /** Adds it, or puts it in the place of the one that is equal in the order. */
  set(element: Element): void {
    const elements = this.#elements;
    const last = elements.at(-1);
    if (last === undefined || this.#compare(last, element) < 0) {
      elements.push(element); // Most of what is written is newer than all that is there.
      return;
    }
    const index = this.firstIndex((other) => this.#compare(other, element) >= 0);
    const isThere = this.#compare(present(elements[index]), element) === 0;
    elements.splice(index, isThere ? 1 : 0, element);
  }

  delete(position: Position): void {
    const index = this.firstIndex((element) => this.#compare(element, position) >= 0);
    const found = this.#elements[index];
    if (found !== undefined && this.#compare(found, position) === 0)
      this.#elements.splice(index, 1);
  }

  find(position: Position): Element | undefined {
    const index = this.firstIndex((element) => this.#compare(element, position) >= 0);
    const found = this.#elements[index];
    return found !== undefined && this.#compare(found, position) === 0 ? found : undefined;
  }

  /**
   * Index of the first element of which this is true: it is true of all behind it, too. The size
   * where it is true of none.
   */
  firstIndex(isReached: (element: Element) => boolean): number {
    let [low, high] = [0, this.#elements.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isReached(present(this.#elements[middle]))) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
