import { Problem } from '@engawa/errors';
import { decodeTuple, placeKey, placeListFamily, placeListPartition } from '@engawa/keys';
import { parsePlace, placeItem, placeNameAttributes } from '@engawa/model';
import { absent, ConditionFailed } from '@engawa/table';
import { refuseWhileDeleted } from '../erasures/being-deleted.ts';
import { listByName } from '../lists/list-by-name.ts';
import { putNamed, rename } from './named-items.ts';
import { readCollection } from './place-collection.ts';
import type { Place } from '@engawa/model';
import type { MergedPage, Shards, Table } from '@engawa/table';
import type { Expected } from '@engawa/http';
import type { NamedRow, NameQuestion } from '../lists/list-by-name.ts';
import type { NamedItem } from './named-items.ts';
import type { CollectionPage, CollectionQuestion } from './place-collection.ts';

export interface PlaceStoreOptions {
  table: Table;
  shards: Shards;
}

export interface PlaceNaming {
  id: string;
  name: string;
}

/** The places in the table. */
export class PlaceStore {
  readonly #options: PlaceStoreOptions;

  constructor(options: PlaceStoreOptions) {
    this.#options = options;
  }

  /** By collated name; one Query for each shard. */
  list(question: NameQuestion): Promise<MergedPage<NamedRow<Place>>> {
    const { table, shards } = this.#options;
    const keyAt = (gsi1sk: string) => {
      const [, id = ''] = decodeTuple(gsi1sk);
      return placeKey(id);
    };
    const family = { shards, family: placeListFamily, partition: placeListPartition };
    return listByName({ table, ...family, keyAt, parse: parsePlace }, question);
  }

  /** A page of what is at the place. */
  async collection(question: CollectionQuestion): Promise<CollectionPage> {
    const page = await readCollection(this.#options.table, question);
    if (page === undefined) throw placeNotFound(question.place);
    return page;
  }

  /** One PutItem where it is not there; else it gets the name, and keeps all that belongs to it. */
  put({
    expected,
    ...naming
  }: PlaceNaming & { expected: Expected }): Promise<{ item: Place; created: boolean }> {
    const create = () => this.#create(naming);
    return putNamed(this.#options.table, this.#named(naming), { expected, create });
  }

  /** One PutItem. What is there stays as it is. @returns whether it was made @throws Problem `being-deleted` */
  async createMissing(naming: PlaceNaming): Promise<boolean> {
    try {
      await this.#create(naming);
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }

  rename({ version, ...naming }: PlaceNaming & { version: number | undefined }): Promise<Place> {
    return rename(this.#options.table, this.#named(naming), { version });
  }

  /** @throws ConditionFailed where it is there, Problem `being-deleted` */
  async #create({ id, name }: PlaceNaming): Promise<Place> {
    const place: Place = { id, name, registeredAt: Date.now(), version: 1 };
    const item = placeItem(place, this.#options.shards.toWrite(placeListFamily));
    try {
      await this.#options.table.put(item, { onlyIf: absent('pk'), recognise: true });
      return place;
    } catch (error) {
      if (error instanceof ConditionFailed) {
        refuseWhileDeleted(error.item, `place ${JSON.stringify(id)}`);
      }
      throw error;
    }
  }

  #named({ id, name }: PlaceNaming): NamedItem<Place> {
    return {
      key: placeKey(id),
      parse: parsePlace,
      nameAttributes: placeNameAttributes(
        { id, name },
        this.#options.shards.toWrite(placeListFamily),
      ),
      notFound: () => placeNotFound(id),
      alreadyExists: () =>
        new Problem('already-exists', `There is a place ${JSON.stringify(id)} already.`),
      changed: (version) =>
        new Problem(
          'version-mismatch',
          `The place ${JSON.stringify(id)} has version ${version} by now.`,
        ),
    };
  }
}

export function placeNotFound(place: string): Problem {
  return new Problem('place-not-found', `There is no place ${JSON.stringify(place)}.`);
}
