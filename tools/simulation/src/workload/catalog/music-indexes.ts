import { tags, words } from './music-choices.ts';
import { everyItem } from './every-item.ts';
import { relationKey, relationNames, targetOf } from '../../oracles/entities-ledger.ts';
import type { Random } from '../../kernel/index.ts';
import type { CatalogClient } from './catalog-client.ts';
import type { Content, EntityName } from '../../oracles/entities-ledger.ts';

export interface FoundMusic {
  name: EntityName;
  state: Content;
  score: number | undefined;
}

interface ListedEntity {
  id: string;
  relations?: string[];
  value?: number;
}

/** Compares all lists, searches, rankings and reverse relations with the existing entities, with random page sizes. */
export class MusicIndexes {
  readonly #client: CatalogClient;
  readonly #random: Random;
  readonly #there: readonly FoundMusic[];
  readonly #violations: string[] = [];

  constructor(options: { client: CatalogClient; random: Random; there: readonly FoundMusic[] }) {
    this.#client = options.client;
    this.#random = options.random;
    this.#there = options.there;
  }

  /** @returns a sentence for each difference */
  async violations(hasWriteSearch: boolean): Promise<string[]> {
    const tracks = this.#there.filter(({ name }) => name.type === 'Track');
    for (const type of ['Artist', 'Track']) {
      const all = this.#there.filter(({ name }) => name.type === type);
      await this.#compare(`/v1/entities/${type}`, ids(all));
      await this.#compare(`/v1/search/${type}/byName?total=true`, ids(all));
      const word = this.#random.pick(words);
      const begun = all.filter(({ state }) => String(state.attributes['name']).startsWith(word));
      await this.#compare(`/v1/search/${type}/byName?prefix=${word}`, ids(begun));
    }
    if (hasWriteSearch) await this.#compare('/v1/search/Track/byWrite', ids(tracks));
    await this.#searchTags(tracks);
    await this.#searchArtists(tracks);
    await this.#ranking();
    for (const { name } of this.#there) {
      if (name.type === 'Artist') await this.#wayBack(name.id, tracks);
    }
    return this.#violations;
  }

  async #searchTags(tracks: readonly FoundMusic[]): Promise<void> {
    for (const tag of tags) {
      const expected = tracks.filter(({ state: { attributes } }) => {
        return attributes['released'] !== undefined && tagsOf(attributes).includes(tag);
      });
      await this.#compare(`/v1/search/Track/byTag?eq=${tag}&order=descending`, ids(expected));
    }
  }

  async #searchArtists(tracks: readonly FoundMusic[]): Promise<void> {
    const byArtist = Map.groupBy(tracks, ({ state }) => artistOf(state));
    for (const [artist, own] of byArtist) {
      if (artist === undefined) continue;
      await this.#compare(`/v1/search/Track/byArtist?eq=${artist}`, ids(own));
      const ranked = own.filter(({ state }) => state.attributes['released'] !== undefined);
      await this.#compare(`/v1/rankings/Track/ofArtist?within=${artist}`, ids(ranked));
    }
  }

  async #ranking(): Promise<void> {
    const scored = this.#there.filter(({ score }) => score !== undefined);
    const path = '/v1/rankings/Artist/byPlays?total=true';
    const shown = ({ id, value }: ListedEntity) => `${id} ${value ?? ''}`;
    const expected = scored.map(({ name, score = 0 }) => ({ id: name.id, value: score }));
    await this.#compare(path, expected.map(shown), shown);
  }

  async #wayBack(artist: string, tracks: readonly FoundMusic[]): Promise<void> {
    const path = `/v1/entities/Artist/${artist}/related/Track`;
    const expected = tracks.flatMap(({ name, state }) => {
      const names = relationNames.filter((one) => state.relations.has(relationKey(one, artist)));
      return names.length === 0 ? [] : [`${name.id} ${names.join(' ')}`];
    });
    const shown = ({ id, relations = [] }: ListedEntity) =>
      `${id} ${relations.toSorted().join(' ')}`;
    await this.#compare(path, expected, shown);
  }

  async #compare(
    path: string,
    expected: readonly string[],
    shown: (row: ListedEntity) => string = ({ id }) => id,
  ): Promise<void> {
    const limit = this.#random.pick([1, 2, 3, 100]);
    const { items, total } = await everyItem(this.#client, path, limit);
    const found = (items as ListedEntity[]).map(shown).toSorted().join(', ');
    const wanted = expected.toSorted().join(', ');
    if (found !== wanted)
      this.#violations.push(`${path}: ${found || 'nothing'} instead of ${wanted}`);
    if (total !== undefined && total !== expected.length) {
      this.#violations.push(`${path}: a total of ${total} instead of ${expected.length}`);
    }
  }
}

function ids(there: readonly FoundMusic[]): string[] {
  return there.map(({ name }) => name.id);
}

function artistOf({ relations }: Content): string | undefined {
  const key = [...relations.keys()].find((one) => targetOf(one)[0] === 'artist');
  return key === undefined ? undefined : targetOf(key)[1];
}

const tagsOf = ({ tags: given }: Content['attributes']): readonly unknown[] =>
  Array.isArray(given) ? given : [];
