import { Problem } from '@engawa/errors';
import { decodeTuple, placeKey, placeListFamily, placeListPartition } from '@engawa/keys';
import { annotationAttributes, parsePlace, placeItem, placeNameAttributes } from '@engawa/model';
import { absent, ConditionFailed } from '@engawa/table';
import { noAnnotations } from '../annotations/merge-annotations.ts';
import { refuseWhileDeleted } from '../being-deleted.ts';
import { listByName } from '../lists/list-by-name.ts';
import { changeNamed, putNamed } from './named-items.ts';
import { readByName } from './natural-order.ts';
import { readCollection } from './place-collection.ts';
import type { Annotations, Place } from '@engawa/model';
import type { MergedPage, Shards, Table } from '@engawa/table';
import type { ExpectedState, Revision } from '@engawa/http';
import type { NamedRow, NameListRequest } from '../lists/list-by-name.ts';
import type { AnnotationsChange, NamedItem } from './named-items.ts';
import type { NamedRequest } from './natural-order.ts';
import type { CollectionPage, CollectionRequest } from './place-collection.ts';

export interface PlaceStoreOptions {
  table: Table;
  shards: Shards;
}

/** The description of a place, as given by a client. */
export interface PlaceDescription extends Annotations {
  id: string;
  name: string;
}

/** A change of a place. */
export interface PlaceChange extends AnnotationsChange {
  id: string;
  name?: string | undefined;
}

type NamedPlace = Annotations & Pick<PlaceChange, 'id' | 'name'>;

/** Reads, creates and changes places. */
export class PlaceStore {
  readonly #options: PlaceStoreOptions;

  constructor(options: PlaceStoreOptions) {
    this.#options = options;
  }

  /** Sorted by collated name; one Query per shard. */
  list(question: NameListRequest): Promise<MergedPage<NamedRow<Place>>> {
    const { table, shards } = this.#options;
    const keyAt = (gsi1sk: string) => {
      const [, id = ''] = decodeTuple(gsi1sk);
      return placeKey(id);
    };
    const family = { shards, family: placeListFamily, partition: placeListPartition };
    return listByName({ table, ...family, keyAt, parse: parsePlace }, question);
  }

  /** A page of the devices and rooms of a place. */
  async collection(question: CollectionRequest): Promise<CollectionPage> {
    const page = await readCollection(this.#options.table, question);
    if (page === undefined) throw placeNotFound(question.place);
    return page;
  }

  /** A page of the devices or rooms of a place in natural order of their names: each page reads all of them. */
  async collectionByName(question: NamedRequest): Promise<CollectionPage> {
    const page = await readByName(this.#options.table, question);
    if (page === undefined) throw placeNotFound(question.place);
    return page;
  }

  /** Creates a place (one PutItem), or renames the existing one, which keeps its rooms and devices. */
  put({ expected, ...place }: PlaceDescription & { expected: ExpectedState<Revision> }): Promise<{
    item: Place;
    created: boolean;
  }> {
    const create = () => this.#create(place);
    return putNamed(this.#options.table, this.#named({ ...noAnnotations, ...place }), {
      expected,
      create,
    });
  }

  /** Creates a place unless it exists: one PutItem. @returns whether it is new @throws Problem `being-deleted` */
  async createMissing(place: PlaceDescription): Promise<boolean> {
    try {
      await this.#create(place);
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }

  change({ id, name, ...change }: PlaceChange): Promise<Place> {
    return changeNamed(this.#options.table, this.#named({ id, name }), change);
  }

  /** @throws ConditionFailed where it exists, Problem `being-deleted` */
  async #create(described: PlaceDescription): Promise<Place> {
    const { id } = described;
    const place: Place = { ...described, registeredAt: Date.now(), version: 1 };
    const item = placeItem(place, this.#options.shards.toWrite(placeListFamily));
    try {
      await this.#options.table.put(item, { onlyIf: absent('pk'), idempotent: true });
      return place;
    } catch (error) {
      if (error instanceof ConditionFailed) {
        refuseWhileDeleted(error.item, `place ${JSON.stringify(id)}`);
      }
      throw error;
    }
  }

  #named({ id, name, ...annotations }: NamedPlace): NamedItem<Place> {
    const shards = this.#options.shards.toWrite(placeListFamily);
    return {
      key: placeKey(id),
      title: `the place ${JSON.stringify(id)}`,
      parse: parsePlace,
      attributes: {
        ...(name !== undefined && placeNameAttributes({ id, name }, shards)),
        ...annotationAttributes(annotations),
      },
      notFound: () => placeNotFound(id),
      notFoundCode: 'place-not-found',
      alreadyExists: () =>
        new Problem('already-exists', `The place ${JSON.stringify(id)} exists already.`),
      changed: (version) =>
        new Problem(
          'version-mismatch',
          `The place ${JSON.stringify(id)} has version ${version} now.`,
        ),
    };
  }
}

export function placeNotFound(place: string): Problem {
  return new Problem('place-not-found', `There is no place ${JSON.stringify(place)}.`);
}
