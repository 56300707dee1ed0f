import { parkedWeight } from '../reading-weight.ts';
import { originsOf, receiptOf } from '../parcel.ts';
import { ParkedGroup, ParkableParcel } from './parkable-parcel.ts';
import type { Key } from '@engawa/keys';
import type { ParkedBlock } from '@engawa/model';
import type { Logger } from 'pino';
import type { KnownDevice } from '../../devices/device-register.ts';
import type { ParkedBlocks } from './parked-blocks.ts';
import type { Parcel, QueuedParcel } from '../parcel.ts';

export interface ParkingOptions {
  blocks: Pick<ParkedBlocks, 'pack' | 'park' | 'remove'>;
  /** Whether DynamoDB throttles a key of this device while it accepts writes to other keys. */
  isThrottled: (device: KnownDevice) => boolean;
  /** Estimated bytes of heap for parked readings; those beyond the limit are read back from the table. */
  maxHeldBytes: number;
  log: Logger;
}

const pollIntervalMs = 50;

/**
 * How long an acknowledgement may wait for a throttled key. A short burst ends earlier. Parking costs two more writes;
 * waiting delays the acknowledgements of all devices behind this one, because they leave in order [MQTT-4.6.0-2].
 */
const parkAfterMs = 250;

/**
 * Parked blocks are read back when less than this fraction of their memory is in use: each round reads the partitions
 * from their first block.
 */
const readBackBelow = 0.5;

/**
 * Parks readings whose device's key is throttled for longer than a moment: it writes them to the partitions of parked
 * blocks. They are durable there, so acknowledgements of all devices continue. They stay in the queue of their own key;
 * once they are stored there, the parked blocks are deleted.
 */
export class Parking {
  readonly #options: ParkingOptions;
  /** Parcels that are handed to the table and not durable, in the order of `since`. */
  readonly #pending = new Set<ParkableParcel>();
  /** Sort keys of the parked blocks that this process will delete. A sort key contains the hash of the content. */
  readonly #tracked = new Set<string>();
  /** Sort keys of the blocks that were deleted since the last round of adoption began. */
  readonly #removed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #stored: Key[] = [];
  #removing: Promise<void> | undefined;
  #heldBytes = 0;
  #hasSpilled = false;

  constructor(options: ParkingOptions) {
    this.#options = options;
  }

  /** Watches parcels from the moment that they are handed to the table. */
  track(device: KnownDevice, parcels: readonly Parcel[]): QueuedParcel[] {
    const since = performance.now();
    return parcels.map((parcel) => {
      const parkable = new ParkableParcel({ device, received: parcel, parcel, since, owner: this });
      this.#pending.add(parkable);
      this.#watch();
      return parkable;
    });
  }

  /** Makes a parcel of a block that is parked in the table. The block is deleted once the parcel is resolved. */
  adopt(device: KnownDevice, adopted: ParkedBlock): QueuedParcel {
    const since = performance.now();
    const parcel = new ParkableParcel({ device, received: adopted, since, owner: this });
    this.#hold(new ParkedGroup([parcel], weightOf([parcel])), [adopted.key]);
    return parcel;
  }

  /**
   * Whether this process deletes the block, or has deleted it since `beginRound`: a page that was read before the
   * deletion may be processed after it.
   */
  isTracked({ sk }: Key): boolean {
    return this.#tracked.has(sk) || this.#removed.has(sk);
  }

  /** Begins a round of reading the parked blocks of the table. */
  beginRound(): void {
    this.#removed.clear();
  }

  /** Whether there is memory to read parked blocks back. */
  get hasRoom(): boolean {
    return this.#heldBytes < this.#options.maxHeldBytes;
  }

  /** Whether parked blocks should be read back. */
  get shouldReadBack(): boolean {
    return this.#heldBytes < this.#options.maxHeldBytes * readBackBelow;
  }

  /** Whether a group has been left to the table since the last call. */
  takeSpilled(): boolean {
    const hasSpilled = this.#hasSpilled;
    this.#hasSpilled = false;
    return hasSpilled;
  }

  /** The readings of the parcel are stored at their device. */
  resolved(parcel: ParkableParcel): void {
    this.#pending.delete(parcel);
    const { group } = parcel;
    if (group?.isDurable !== true) parcel.release();
    group?.remove(parcel);
    if (group !== undefined) this.#removeIfStored(group);
  }

  /**
   * Nothing waits for a parked parcel, so a rejected reading has no sender to report to. Its parked block stays, so
   * that nothing is lost.
   */
  refused(parcel: ParkableParcel, detail: string): boolean {
    if (parcel.group?.isDurable !== true) return false;
    parcel.group.hasRefusal = true;
    const { id } = parcel.device;
    this.#options.log.error(
      { device: id, detail },
      'parked block was rejected by the table; it stays parked',
    );
    return true;
  }

  failed(parcel: ParkableParcel): void {
    this.#pending.delete(parcel);
  }

  /** Deletes the parked blocks of stored readings; the other blocks are for the next process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#removing;
    await this.#removeStored();
  }

  /** Runs the timer while a parcel is pending or a block has to be deleted. */
  #watch(): void {
    if (this.#isClosed) return;
    this.#timer ??= setInterval(() => this.#look(), pollIntervalMs).unref();
  }

  #look(): void {
    this.#parkOverdue();
    if (this.#stored.length > 0) void this.#removeStored();
    else if (this.#pending.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #parkOverdue(): void {
    const overdueAt = performance.now() - parkAfterMs;
    const overdue: ParkableParcel[] = [];
    for (const parcel of this.#pending) {
      if (parcel.since > overdueAt) break;
      if (parcel.group === undefined && this.#options.isThrottled(parcel.device)) {
        overdue.push(parcel);
      }
    }
    const devices = Map.groupBy(overdue, ({ device }) => device);
    for (const [device, parcels] of devices) void this.#park(device, parcels);
  }

  async #park(device: KnownDevice, parcels: ParkableParcel[]): Promise<void> {
    const { blocks, log } = this.#options;
    const group = new ParkedGroup(parcels, weightOf(parcels));
    const readings = parcels.flatMap((parcel) => parcel.readings);
    // Trace spans are known only while senders wait for the parcels.
    const origins = originsOf(parcels);
    let keys: Key[] = [];
    try {
      const items = await blocks.pack(device.id, readings, receiptOf(parcels));
      keys = items.map(({ pk, sk }) => ({ pk, sk }));
      // Before a round of adoption can read one of the blocks.
      for (const { sk } of keys) this.#tracked.add(sk);
      await blocks.park(items, { origins });
      this.#hold(group, keys);
    } catch (error) {
      // The parcels are still in the queue of their own key.
      group.dissolve();
      this.#untrack(keys);
      log.debug({ err: error, device: device.id }, 'parking readings failed');
    }
  }

  #hold(group: ParkedGroup, keys: readonly Key[]): void {
    if (this.hasRoom) {
      this.#heldBytes += group.weight;
      for (const { sk } of keys) this.#tracked.add(sk);
    } else {
      group.isSpilled = true;
      this.#hasSpilled = true;
      this.#untrack(keys);
    }
    for (const parcel of group.becomeDurable(keys)) {
      this.#pending.delete(parcel);
      parcel.release();
    }
    this.#removeIfStored(group);
  }

  #removeIfStored(group: ParkedGroup): void {
    if (!group.isStored) return;
    if (!group.isSpilled) this.#heldBytes -= group.weight;
    if (group.hasRefusal) return;
    for (const key of group.keys) {
      // A group that was left to the table while its first copy was in flight may have been adopted since.
      if (!group.isSpilled || !this.isTracked(key)) this.#stored.push(key);
    }
    this.#watch();
  }

  #untrack(keys: readonly Key[]): void {
    for (const { sk } of keys) this.#tracked.delete(sk);
  }

  /** Deletes many blocks in one request: one by one, deletions would be most of the work. */
  #removeStored(): Promise<void> {
    this.#removing ??= this.#removeAll().finally(() => (this.#removing = undefined));
    return this.#removing;
  }

  async #removeAll(): Promise<void> {
    const keys = this.#stored;
    this.#stored = [];
    if (keys.length === 0) return;
    try {
      await this.#options.blocks.remove(keys);
      for (const { sk } of keys) this.#removed.add(sk);
      this.#untrack(keys);
    } catch (error) {
      // Storing the readings again changes nothing.
      this.#options.log.debug({ err: error }, 'deleting parked blocks failed; retrying');
      this.#stored.push(...keys);
      this.#watch();
    }
  }
}

function weightOf(parcels: readonly ParkableParcel[]): number {
  return parcels.reduce((sum, { readings }) => sum + parkedWeight(readings), 0);
}
