import { deviceKey, placementKey } from '@engawa/keys';
import {
  aheadAttributes,
  isListed,
  nameAttributes,
  parseDevice,
  seenAttributes,
  tombstoneOf,
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
import { mergeAhead } from '../clock-ahead.ts';
import { clockSkewMs } from '../known-device.ts';
import type { ClockAhead, DeviceKind, Document, ListShards } from '@engawa/model';
import type { Condition, Table } from '@engawa/table';
import type { BackgroundQueueOptions } from './background-queue.ts';
import type { KnownDevice } from '../known-device.ts';

export interface DeviceUpdatesOptions extends Pick<
  BackgroundQueueOptions<DeviceUpdate>,
  'metrics' | 'log'
> {
  table: Pick<Table, 'get' | 'update' | 'transact'>;
  listShards: () => ListShards;
  /** Epoch milliseconds; upper bound of last seen. */
  now: () => number;
  /**
   * Called with the item whenever it has been read or written; with undefined if the device was deleted and has sent
   * readings since.
   */
  onItem: (device: KnownDevice, item: Document | undefined) => void;
  /** Called when a device was deleted and is not known to have sent readings since. */
  onDeleted: (device: KnownDevice) => void;
}

/** Pending changes of a device's item. */
interface DeviceUpdate {
  device: KnownDevice;
  /** Epoch milliseconds. */
  seenAt?: number | undefined;
  /** Name of the device, if it has to be added to the device lists. */
  listAs?: string | undefined;
  kind?: DeviceKind | undefined;
  /** Readings ahead of their receipt, written together with `seenAt`. */
  ahead?: ClockAhead | undefined;
}

/** Maximum number of device items that are written at the same time, in addition to requests that readings wait for. */
const concurrency = 8;

/**
 * Writes changes learned from readings without delaying them: last seen, an entry in the device lists, the kind. The
 * device's next readings provide all of it again, so a crash may lose it.
 */
export class DeviceUpdates {
  readonly #options: DeviceUpdatesOptions;
  readonly #queue: BackgroundQueue<DeviceUpdate>;

  constructor(options: DeviceUpdatesOptions) {
    const { metrics, log } = options;
    this.#options = options;
    this.#queue = new BackgroundQueue({
      what: 'device',
      concurrency,
      run: (update) => this.#run(update),
      merge,
      metrics,
      log,
    });
  }

  add(update: DeviceUpdate): void {
    this.#queue.add(update.device.id, update);
  }

  close(signal: AbortSignal): Promise<void> {
    return this.#queue.close(signal);
  }

  /** Sends one request. @returns the remaining update */
  #run(update: DeviceUpdate): Promise<DeviceUpdate | undefined> {
    const { seenAt } = update;
    if (seenAt !== undefined) return this.#write({ ...update, seenAt });
    return this.#refine(update);
  }

  async #write(update: DeviceUpdate & { seenAt: number }): Promise<DeviceUpdate | undefined> {
    const { table, listShards, now, onItem } = this.#options;
    const { device, seenAt, listAs, kind, ahead } = update;
    const shards = listShards();
    const set = {
      ...seenAttributes(device.id, seenAt, shards),
      ...(ahead && aheadAttributes(ahead)),
      ...(listAs !== undefined && nameAttributes(device.id, listAs, shards)),
    };
    const isAhead = greater('lastSeenAt', now() + clockSkewMs);
    const isOlder = anyOf(less('lastSeenAt', seenAt), isAhead);
    const isSame = (name: string) =>
      allOf(equal('name', name), anyOf(isOlder, equal('lastSeenAt', seenAt)));
    try {
      const onlyIf = listAs === undefined ? isOlder : isSame(listAs);
      const add = ahead && { add: { aheadReadings: ahead.readings } };
      const item = await table.update(deviceKey(device.id), { set, onlyIf, ...add });
      onItem(device, item);
      return this.#remainder({ device, kind }, item);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // Another replica has just updated last seen: the next update of the device writes it.
      device.ahead = mergeAhead(ahead, device.ahead);
      return this.#afterConflict(update, error.item);
    }
  }

  /** @param item the current item, for which the condition of an update failed @returns the remaining update */
  #afterConflict(update: DeviceUpdate, item: Document | undefined): DeviceUpdate | undefined {
    const { onItem, onDeleted } = this.#options;
    const isThere = unlessDeleted(item) !== undefined;
    if (!isThere && isOlderThanDeletion(update, item)) {
      onDeleted(update.device);
      return undefined;
    }
    onItem(update.device, unlessDeleted(item));
    return isThere && item !== undefined ? this.#remainder(update, item) : undefined;
  }

  /**
   * The part that the item does not contain yet: another replica or the registry may have changed the item meanwhile.
   */
  #remainder(update: DeviceUpdate, item: Document): DeviceUpdate | undefined {
    const { name, lastSeenAt, kind: current, kindNamed } = parseDevice(item);
    const now = this.#options.now();
    const isBehind = (seenAt: number) => lastSeenAt < seenAt || lastSeenAt > now + clockSkewMs;
    const { device } = update;
    const kind = current === 'other' && kindNamed !== true ? update.kind : undefined;
    const seenAt =
      update.seenAt !== undefined && isBehind(update.seenAt) ? update.seenAt : undefined;
    if (!isListed(item)) {
      return { device, kind, seenAt: seenAt ?? Math.min(lastSeenAt, now), listAs: name };
    }
    return kind === undefined && seenAt === undefined ? undefined : { device, kind, seenAt };
  }

  /**
   * The placement shows the kind too: one transaction changes both. Placements exist only in tables that support
   * transactions.
   */
  async #refine({ device, kind }: DeviceUpdate): Promise<DeviceUpdate | undefined> {
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
      return this.#afterConflict(
        { device, kind },
        await table.get(deviceKey(id), { consistent: true }),
      );
    }
  }
}

/**
 * A deleted device is registered again when it sends readings, but not by an update from before its deletion that was
 * delayed by a throttled key, or because the device was not listed yet.
 */
function isOlderThanDeletion(
  { seenAt, listAs }: DeviceUpdate,
  item: Document | undefined,
): boolean {
  const deletedAt = item && tombstoneOf(item)?.deletedAt;
  if (deletedAt === undefined) return listAs !== undefined;
  return seenAt === undefined || seenAt <= deletedAt;
}

/** The kind was not set by a user, and the device is at its known location. */
function isOpen(place: string | undefined): Condition {
  const isThere = place === undefined ? absent('place') : equal('place', place);
  return allOf(equal('kind', 'other'), absent('kindNamed'), isThere);
}

function merge(older: DeviceUpdate, newer: DeviceUpdate): DeviceUpdate {
  const seenAt =
    older.seenAt === undefined || newer.seenAt === undefined
      ? (newer.seenAt ?? older.seenAt)
      : Math.max(older.seenAt, newer.seenAt);
  return {
    device: newer.device,
    seenAt,
    listAs: newer.listAs ?? older.listAs,
    kind: newer.kind ?? older.kind,
    ahead: mergeAhead(older.ahead, newer.ahead),
  };
}
