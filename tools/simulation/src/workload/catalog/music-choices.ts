import type { Random } from '../../kernel/index.ts';
import type { EntitiesLedger, EntityName, RelationName } from '../../oracles/entities-ledger.ts';

/** No word is a prefix of another one, or differs from it in one character. */
export const words = ['amber', 'birch', 'cedar', 'dune', 'ember', 'fjord', 'granite', 'harbour'];
export const tags = ['calm', 'fast', 'live', 'old'];

/** New relations: with a check of each they are more than a transaction takes, so such a write is staged. */
const staged = { from: 50, to: 55 };
const uniqueCodes = 8;

/** What a request says of an entity. */
export interface Given {
  attributes: Readonly<Record<string, unknown>>;
  relations: Record<RelationName, string[]>;
}

/** Bodies of requests, drawn. */
export class MusicChoices {
  readonly #random: Random;
  readonly #ledger: EntitiesLedger;
  /** Few, which are deleted and created again all the time. */
  readonly #artists: readonly EntityName[];
  /** Many, which stay: for relations of more than a transaction takes. */
  readonly #stable: readonly string[];
  #writes = 0;

  constructor(options: {
    random: Random;
    ledger: EntitiesLedger;
    artists: readonly EntityName[];
    stable: readonly string[];
  }) {
    this.#random = options.random;
    this.#ledger = options.ledger;
    this.#artists = options.artists;
    this.#stable = options.stable;
  }

  attributes(name: EntityName): Record<string, unknown> {
    const random = this.#random;
    return {
      name: `${random.pick(words)} ${random.pick(words)}`,
      write: `w${++this.#writes}`,
      ...(random.chance(0.4) && { code: `code ${random.integer(1, uniqueCodes)}` }),
      ...(name.type === 'Track' && random.chance(0.8) && { released: random.integer(1950, 2020) }),
      ...(name.type === 'Track' && random.chance(0.7) && { tags: this.#tags() }),
    };
  }

  given(name: EntityName): Given {
    const random = this.#random;
    const attributes = this.attributes(name);
    if (name.type === 'Artist') return { attributes, relations: { artist: [], featuring: [] } };
    const isLarge = this.#stable.length > 0 && random.chance(0.08);
    const more = isLarge ? this.#stable.slice(0, random.integer(staged.from, staged.to)) : [];
    const artist = random.chance(0.6) ? this.artistIds(1) : [];
    return { attributes, relations: { artist, featuring: [...this.artistIds(3), ...more] } };
  }

  /** Up to so many different ones, mostly of those that are there. */
  artistIds(most: number): string[] {
    const random = this.#random;
    const there = this.#artists.filter((artist) => this.#ledger.isSurelyThere(artist));
    const candidates = random.chance(0.1) || there.length === 0 ? this.#artists : there;
    const ids = new Set<string>();
    for (let left = random.integer(most === 1 ? 1 : 0, most); left > 0; left--) {
      ids.add(random.pick(candidates).id);
    }
    return [...ids];
  }

  #tags(): string[] {
    return tags.filter(() => this.#random.chance(0.4));
  }
}
