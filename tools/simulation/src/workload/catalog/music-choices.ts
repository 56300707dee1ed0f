import type { Random } from '../../kernel/index.ts';
import type { EntitiesLedger, EntityName, RelationName } from '../../oracles/entities-ledger.ts';

/** Words of which none is a prefix of another, or differs from it in one character. */
export const words = ['amber', 'birch', 'cedar', 'dune', 'ember', 'fjord', 'granite', 'harbour'];
export const tags = ['calm', 'fast', 'live', 'old'];

/** Range of relations per staged write: more than a transaction allows with a check of each. */
const staged = { from: 50, to: 55 };
const uniqueCodes = 8;

/** The content of an entity in a request. */
export interface EntityInput {
  attributes: Readonly<Record<string, unknown>>;
  relations: Record<RelationName, string[]>;
}

/** Draws request bodies. */
export class MusicChoices {
  readonly #random: Random;
  readonly #ledger: EntitiesLedger;
  /** A few artists, which are often deleted and recreated. */
  readonly #artists: readonly EntityName[];
  /** Many artists that are never deleted, for writes with more relations than a transaction allows. */
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

  given(name: EntityName): EntityInput {
    const random = this.#random;
    const attributes = this.attributes(name);
    if (name.type === 'Artist') return { attributes, relations: { artist: [], featuring: [] } };
    const isLarge = this.#stable.length > 0 && random.chance(0.08);
    const more = isLarge ? this.#stable.slice(0, random.integer(staged.from, staged.to)) : [];
    const artist = random.chance(0.6) ? this.artistIds(1) : [];
    return { attributes, relations: { artist, featuring: [...this.artistIds(3), ...more] } };
  }

  /** Draws up to `most` different artists, mostly existing ones. */
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
