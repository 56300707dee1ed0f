import { present } from '@engawa/dynamodb-simulator/rules';
/** A sorted array of elements with unique positions, with binary search. */
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

  /** Adds an element, or replaces the element at the same position. */
  set(element: Element): void {
    const elements = this.#elements;
    const last = elements.at(-1);
    if (last === undefined || this.#compare(last, element) < 0) {
      elements.push(element); // Most new elements belong at the end.
      return;
    }
    const index = this.firstIndex((other) => this.#compare(other, element) >= 0);
    const isFound = this.#compare(present(elements[index]), element) === 0;
    elements.splice(index, isFound ? 1 : 0, element);
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
   * Index of the first element for which `isReached` is true, or else the size. `isReached` must also
   * be true for all later elements.
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
