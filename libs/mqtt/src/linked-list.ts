/** An element of a LinkedList, which sets its neighbours. */
export interface Linked<Element> {
  previous: Element | undefined;
  next: Element | undefined;
}

/**
 * A list from which elements leave at any place in constant time. The first element of a Set or Map is expensive where
 * elements are constantly added and deleted: it walks over the places of deleted ones.
 */
export class LinkedList<Element extends Linked<Element>> {
  #first: Element | undefined;
  #last: Element | undefined;
  #size = 0;

  get first(): Element | undefined {
    return this.#first;
  }

  get size(): number {
    return this.#size;
  }

  /** @param element in no list */
  add(element: Element): void {
    element.previous = this.#last;
    if (this.#last === undefined) this.#first = element;
    else this.#last.next = element;
    this.#last = element;
    this.#size += 1;
  }

  /** @param element in this list */
  remove(element: Element): void {
    const { previous, next } = element;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    // Garbage collection of the young generation keeps what an old, removed element refers to.
    element.previous = undefined;
    element.next = undefined;
    this.#size -= 1;
  }

  clear(): void {
    this.#first = undefined;
    this.#last = undefined;
    this.#size = 0;
  }
}
