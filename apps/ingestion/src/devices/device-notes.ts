import { deviceKey, placementKey } from '@engawa/keys';
import {
  isListed,
  nameAttributes,
  parseDevice,
  seenAttributes,
  unlessDeleted,
} from '@engawa/model';
import {
  absent,
  allOf,
  anyOf,
  ConditionFailed,
  equal,
  greater,
  less,
  present,
} from '@engawa/table';
import { BackgroundQueue } from './background-queue.ts';
import type { DeviceKind, Document, ListShards } from '@engawa/model';
import type { Condition, Table } from '@engawa/table';
import type { BackgroundQueueOptions } from './background-queue.ts';
import type { KnownDevice } from './known-device.ts';

export interface DeviceNotesOptions extends Pick<BackgroundQueueOptions<Note>, 'metrics' | 'log'> {
  table: Pick<Table, 'get' | 'update' | 'transact'>;
  listShards: () => ListShards;
  /** The time by which last seen is capped: epoch milliseconds. */
  now: () => number;
  /** Told of the device's item whenever one has been read or written; undefined where it has been deleted. */
  onItem: (device: KnownDevice, item: Document | undefined) => void;
}

/** What the device's item is still to say. */
interface Note {
  device: KnownDevice;
  /** Epoch milliseconds. */
  seenAt?: number | undefined;
  /** The name under which the device is to be put into the device lists. */
  listAs?: string | undefined;
  kind?: DeviceKind | undefined;
}

/** Devices whose items are written at the same time, beside the requests that readings wait for. */
const concurrency = 8;

/** Milliseconds by which the clocks of replicas may differ: a last seen further ahead is wrong. */
export const clockSkewMs = 60_000;

/**
 * What ingestion notes of a device without delaying its readings: that it was heard of, that it belongs into the device
 * lists, which kind it is. All of it can be had again from what the device sends next, so it may be lost in a crash.
 */
export class DeviceNotes {
  readonly #options: DeviceNotesOptions;
  readonly #queue: BackgroundQueue<Note>;

  constructor(options: DeviceNotesOptions) {
    const { metrics, log } = options;
    this.#options = options;
    this.#queue = new BackgroundQueue({
      what: 'device',
      concurrency,
      run: (note) => this.#run(note),
      merge,
      metrics,
      log,
    });
  }

  add(note: Note): void {
    this.#queue.add(note.device.id, note);
  }

  close(signal: AbortSignal): Promise<void> {
    return this.#queue.close(signal);
  }

  /** One request. @returns what is left */
  #run(note: Note): Promise<Note | undefined> {
    const { seenAt } = note;
    if (seenAt !== undefined) return this.#write({ ...note, seenAt });
    return this.#refine(note);
  }

  async #write(note: Note & { seenAt: number }): Promise<Note | undefined> {
    const { table, listShards, now, onItem } = this.#options;
    const { device, seenAt, listAs, kind } = note;
    const shards = listShards();
    const set = {
      ...seenAttributes(device.id, seenAt, shards),
      ...(listAs !== undefined && nameAttributes(device.id, listAs, shards)),
    };
    const isAhead = greater('lastSeenAt', now() + clockSkewMs);
    const isOlder = anyOf(less('lastSeenAt', seenAt), isAhead);
    const isSame = (name: string) =>
      allOf(equal('name', name), anyOf(isOlder, equal('lastSeenAt', seenAt)));
    try {
      const onlyIf = listAs === undefined ? isOlder : isSame(listAs);
      const item = await table.update(deviceKey(device.id), { set, onlyIf });
      onItem(device, item);
      return this.#left({ device, kind }, item);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // Deleted before it was listed: it returns when it is heard of, and not because of an old note.
      const item = unlessDeleted(error.item);
      if (item === undefined && listAs !== undefined) return undefined;
      onItem(device, item);
      return item && this.#left(note, item);
    }
  }

  /** What the item still has to be told: another replica or the registry may have changed it meanwhile. */
  #left(note: Note, item: Document): Note | undefined {
    const { name, lastSeenAt, kind: current, kindNamed } = parseDevice(item);
    const now = this.#options.now();
    const isBehind = (seenAt: number) => lastSeenAt < seenAt || lastSeenAt > now + clockSkewMs;
    const { device } = note;
    const kind = current === 'other' && kindNamed !== true ? note.kind : undefined;
    const seenAt = note.seenAt !== undefined && isBehind(note.seenAt) ? note.seenAt : undefined;
    if (!isListed(item)) {
      return { device, kind, seenAt: seenAt ?? Math.min(lastSeenAt, now), listAs: name };
    }
    return kind === undefined && seenAt === undefined ? undefined : { device, kind, seenAt };
  }

  /** A placement shows the kind, too: both change in one transaction. There are placements only where there are transactions. */
  async #refine({ device, kind }: Note): Promise<Note | undefined> {
    if (kind === undefined) return undefined;
    const { table, onItem } = this.#options;
    const { id, place } = device;
    const change = { set: { kind }, add: { version: 1 }, onlyIf: isOpen(place) };
    try {
      if (place === undefined) {
        onItem(device, await table.update(deviceKey(id), change));
      } else {
        const placement = { update: placementKey(place, id), set: { kind }, onlyIf: present('pk') };
        await table.transact([{ update: deviceKey(id), ...change }, placement]);
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const item = unlessDeleted(await table.get(deviceKey(id), { consistent: true }));
      onItem(device, item);
      return item && this.#left({ device, kind }, item);
    }
  }
}

/** Nobody has set the kind, and the device is where it is thought to be. */
function isOpen(place: string | undefined): Condition {
  const isThere = place === undefined ? absent('place') : equal('place', place);
  return allOf(equal('kind', 'other'), absent('kindNamed'), isThere);
}

function merge(older: Note, newer: Note): Note {
  const seenAt =
    older.seenAt === undefined || newer.seenAt === undefined
      ? (newer.seenAt ?? older.seenAt)
      : Math.max(older.seenAt, newer.seenAt);
  return {
    device: newer.device,
    seenAt,
    listAs: newer.listAs ?? older.listAs,
    kind: newer.kind ?? older.kind,
  };
}
