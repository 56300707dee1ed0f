import { randomFrom } from '@engawa/testing';

/** Choices that one seed makes again and again. */
export class Random {
  /** From 0 on and below 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomFrom(seed);
  }

  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** Some of them, at least one. */
  some<Item>(items: readonly Item[]): Item[] {
    const chosen = items.filter(() => this.chance(0.4));
    return chosen.length > 0 ? chosen : [this.pick(items)];
  }
}
