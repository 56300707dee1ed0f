import {
  decodeTuple,
  deviceKey,
  deviceListPartition,
  namePrefix as sortKeyPrefix,
} from '@engawa/keys';
import { nameAttributes, parseDevice } from '@engawa/model';
import { ConditionFailed, equal, present } from '@engawa/table';
import { Problem } from '@engawa/errors';
import { mergeShards } from './merge-shards.ts';
import type { Device, ListShards } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';
import type { MergedPage, Row, ShardPage } from './merge-shards.ts';

/** What the list index holds of a device (docs/adr/0005-index-projections.md). */
export type ListedDevice = Omit<Device, 'lastSeenAt' | 'span'>;

export interface DeviceRow extends Row {
  device: ListedDevice;
}

export interface DeviceListQuestion {
  namePrefix?: string;
  limit: number;
  /** From the page before, of the same question. */
  after?: string;
  signal: AbortSignal;
}

export interface Renaming {
  id: string;
  name: string;
  /** The version that the device must have; without it, any. */
  version?: number;
}

export interface DeviceStoreOptions {
  table: Table;
  /** How many shards the lists have at the moment. */
  shards(): ListShards;
}

/** The devices in the table. */
export class DeviceStore {
  readonly #options: DeviceStoreOptions;

  constructor(options: DeviceStoreOptions) {
    this.#options = options;
  }

  /** One GetItem, consistent: somebody who reads again after a version mismatch must see the new version. */
  async get(id: string, signal: AbortSignal): Promise<Device> {
    const item = await this.#options.table.get(deviceKey(id), { consistent: true, signal });
    if (item === undefined) throw notFound(id);
    return parseDevice(item);
  }

  /** By collated name; one Query for each shard. */
  async list({ limit, ...question }: DeviceListQuestion): Promise<MergedPage<DeviceRow>> {
    const { list } = this.#options.shards();
    const shards = Array.from({ length: list }, (_, shard) => deviceListPartition(shard));
    // One more than asked for tells whether there is a next page.
    const asked = { ...question, limit: limit + 1 };
    return mergeShards(await Promise.all(shards.map((shard) => this.#ask(shard, asked))), limit);
  }

  /** One UpdateItem. Touches nothing but the name, its place among the names and the version. */
  async rename({ id, name, version }: Renaming): Promise<Device> {
    try {
      const item = await this.#options.table.update(deviceKey(id), {
        set: nameAttributes(id, name, this.#options.shards()),
        add: { version: 1 },
        onlyIf: version === undefined ? present('pk') : equal('version', version),
      });
      return parseDevice(item);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      throw error.item === undefined ? notFound(id) : changed(parseDevice(error.item));
    }
  }

  async #ask(gsi1pk: string, question: DeviceListQuestion): Promise<ShardPage<DeviceRow>> {
    const { namePrefix, limit, after, signal } = question;
    const { items, next } = await this.#options.table.query({
      index: 'gsi1',
      pk: gsi1pk,
      sk: namePrefix === undefined ? undefined : { beginsWith: sortKeyPrefix(namePrefix) },
      after: after === undefined ? undefined : startKey(gsi1pk, after),
      limit,
      signal,
    });
    const rows = items.map((item) => ({
      sortKey: item['gsi1sk'] as string, // or it would not be in this index
      device: parseDevice(item),
    }));
    return { rows, lookedUpTo: next?.['gsi1sk'] };
  }
}

/** DynamoDB starts behind any key of the right form, whether or not this shard has an item there. */
function startKey(gsi1pk: string, gsi1sk: string): PageKey {
  const [, id = ''] = decodeTuple(gsi1sk);
  return { ...deviceKey(id), gsi1pk, gsi1sk };
}

function notFound(id: string): Problem {
  return new Problem('device-not-found', `There is no device ${JSON.stringify(id)}.`);
}

function changed({ id, version }: Device): Problem {
  return new Problem(
    'version-mismatch',
    `The device ${JSON.stringify(id)} has version ${version} by now.`,
  );
}
