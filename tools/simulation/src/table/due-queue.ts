import { present } from '@engawa/dynamodb-simulator/rules';
interface DueElement<Content> {
  due: number;
  order: number;
  content: Content;
}

/**
 * A queue of elements with a due time, in the order of time; elements with the same time are in the
 * order of addition.
 */
export class DueQueue<Content> {
  readonly #heap: DueElement<Content>[] = [];
  #order = 0;

  get size(): number {
    return this.#heap.length;
  }

  add(due: number, content: Content): void {
    const heap = this.#heap;
    const entry = { due, order: this.#order++, content };
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(entry, present(heap[parent]))) break;
      heap[index] = present(heap[parent]);
      index = parent;
    }
    heap[index] = entry;
  }

  /** Removes and returns the next element that is due; undefined if none is. */
  take(now: number): DueElement<Content> | undefined {
    const [first] = this.#heap;
    if (first === undefined || first.due > now) return undefined;
    const last = present(this.#heap.pop());
    if (this.#heap.length > 0) this.#sink(last);
    return first;
  }

  #sink(entry: DueElement<Content>): void {
    const heap = this.#heap;
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      const [left, right] = [present(heap[child]), heap[child + 1]];
      if (right !== undefined && isBefore(right, left)) child += 1;
      if (!isBefore(present(heap[child]), entry)) break;
      heap[index] = present(heap[child]);
      index = child;
    }
    heap[index] = entry;
  }
}

function isBefore(
  one: { due: number; order: number },
  other: { due: number; order: number },
): boolean {
  return one.due < other.due || (one.due === other.due && one.order < other.order);
}
