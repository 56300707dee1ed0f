import type { RelationName } from './content.ts';
import type { Ledger } from './ledger.ts';
import type { Name } from './types.ts';

/** Relative frequencies of operations. */
const weights = {
  replace: 25,
  patch: 25,
  delete: 10,
  score: 25,
  'create-many': 3,
  read: 12,
} as const;
export type OperationKind = keyof typeof weights;

/** No word is a prefix of another one; the edit distance of any two is more than 1. */
export const words = [
  'amber',
  'birch',
  'cedar',
  'dune',
  'ember',
  'fjord',
  'granite',
  'harbour',
  'island',
  'juniper',
  'kelp',
  'lagoon',
];

/** More relations than fit into a transaction: such a write is staged. */
const staged = { from: 101, to: 140 };

const uniqueCodes = 100;

interface ChoiceOptions {
  random: () => number;
  ledger: Ledger;
  own: readonly Name[];
  artists: readonly Name[];
}

/** Random decisions of a writer. */
export class Choices {
  readonly #options: ChoiceOptions;

  constructor(options: ChoiceOptions) {
    this.#options = options;
  }

  /** From 0, below `end`. */
  upTo(end: number): number {
    return Math.floor(this.#options.random() * end);
  }

  chance(probability: number): boolean {
    return this.#options.random() < probability;
  }

  operation(): OperationKind {
    const entries = Object.entries(weights) as [OperationKind, number][];
    let left = this.upTo(entries.reduce((sum, [, weight]) => sum + weight, 0));
    for (const [operation, weight] of entries) {
      left -= weight;
      if (left < 0) return operation;
    }
    return 'read';
  }

  ownEntity(): Name {
    return this.#one(this.#options.own);
  }

  artist(): Name {
    return this.#one(this.#options.artists);
  }

  name(): string {
    return `${this.#one(words)} ${this.#one(words)}`;
  }

  /** A value of the unique attribute, or none. Values are few, so that writers conflict. */
  code(): string | undefined {
    return this.chance(0.3) ? undefined : `code ${this.upTo(uniqueCodes)}`;
  }

  /** Mostly of existing artists; sometimes more than fit into a transaction. */
  relations({ mostRelations }: { mostRelations?: number } = {}): Record<RelationName, string[]> {
    const few = mostRelations ?? 6;
    const isLarge = mostRelations === undefined && this.chance(0.1);
    const count = isLarge ? staged.from + this.upTo(staged.to - staged.from) : this.upTo(few + 1);
    return { artist: this.chance(0.6) ? this.artistIds(1) : [], featuring: this.artistIds(count) };
  }

  /** Up to `count` different ones. */
  artistIds(count: number): string[] {
    const { artists, ledger } = this.#options;
    const there = artists.filter((artist) => ledger.isSurelyThere(artist));
    const candidates = this.chance(0.05) || there.length === 0 ? artists : there;
    const ids = new Set<string>();
    for (
      let tries = 0;
      ids.size < Math.min(count, candidates.length) && tries < 10 * count;
      tries++
    ) {
      ids.add(this.#one(candidates).id);
    }
    return [...ids];
  }

  #one<Item>(items: readonly Item[]): Item {
    return items[this.upTo(items.length)] as Item;
  }
}
