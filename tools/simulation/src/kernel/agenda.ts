import type { Random } from './random.ts';
import type { Scheduled, World } from './world.ts';

interface Event {
  at: number;
  order: number;
  label: string;
  run: () => void;
  isCancelled: boolean;
}

export interface RunOptions {
  /** Called before each event. */
  trace?: (at: number, label: string) => void;
  /** Resolves after all microtasks of an event have run. */
  settle: () => Promise<void>;
  isEnough?: () => boolean;
}

/** The scheduled events in the order of time, in a binary heap. */
export class Agenda implements World {
  readonly random: Random;
  readonly #heap: Event[] = [];
  #now = 0;
  #order = 0;

  constructor(random: Random) {
    this.random = random;
  }

  now(): number {
    return this.#now;
  }

  schedule(delayMs: number, label: string, run: () => void): Scheduled {
    const at = this.#now + Math.max(0, delayMs);
    const event: Event = { at, order: this.#order++, label, run, isCancelled: false };
    this.#push(event);
    return { cancel: () => (event.isCancelled = true) };
  }

  /**
   * Runs events until `end` (milliseconds since the world began), or until `isEnough`, which is
   * called after each event, returns true.
   */
  async runUntil(end: number, { trace, settle, isEnough }: RunOptions): Promise<void> {
    for (let next = this.#heap[0]; next !== undefined && next.at <= end; next = this.#heap[0]) {
      this.#pop();
      if (next.isCancelled) continue;
      this.#now = Math.max(this.#now, next.at);
      trace?.(this.#now, next.label);
      next.run();
      await settle();
      if (isEnough?.() === true) return;
    }
    this.#now = Math.max(this.#now, end);
  }

  /** Advances time without events, as if all machines were suspended; events that became due run afterwards. */
  leap(forMs: number): void {
    this.#now += forMs;
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let index = heap.push(event) - 1;
    for (;;) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (index === 0 || parent === undefined || !isBefore(event, parent)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const [child, below] = this.#earlierChild(index);
      if (child === undefined || !isBefore(child, last)) break;
      heap[index] = child;
      index = below;
    }
    heap[index] = last;
  }

  #earlierChild(index: number): [Event | undefined, number] {
    const left = 2 * index + 1;
    const [one, other] = [this.#heap[left], this.#heap[left + 1]];
    if (one === undefined || other === undefined || !isBefore(other, one)) return [one, left];
    return [other, left + 1];
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
