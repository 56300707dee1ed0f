import { parkedWeight } from '../reading-weight.ts';
import { originsOf } from '../parcel.ts';
import { TrackedParcel } from './tracked-parcel.ts';
import { ParkedGroup } from './parked-group.ts';
import type { Key } from '@engawa/keys';
import type { ParkedBlock } from '@engawa/model';
import type { Logger } from 'pino';
import type { KnownDevice } from '../../devices/device-register.ts';
import type { ParkedBlocks } from './parked-blocks.ts';
import type { Parcel, QueuedParcel } from '../parcel.ts';

export interface ParkingOptions {
  blocks: Pick<ParkedBlocks, 'pack' | 'park' | 'remove'>;
  /** Whether DynamoDB throttles a key of this device while it takes writes to other keys. */
  isThrottled: (device: KnownDevice) => boolean;
  /** Estimated bytes of heap that parked readings may take; what is parked beyond them is read back from the table. */
  maxHeldBytes: number;
  log: Logger;
}

const pollIntervalMs = 50;

/**
 * How long an acknowledgement may wait for a throttled key. A short burst ends within it; parking costs two more
 * writes, and acknowledgements leave in order, so every device behind this one waits as long [MQTT-4.6.0-2].
 */
const parkAfterMs = 250;

/** Parked blocks are read back once less than this part of the room is taken: each reading begins at the first block of a partition. */
const readBackBelow = 0.5;

/**
 * Takes throttled devices out of the way of everybody's acknowledgements. Readings whose device's key is throttled for longer than
 * a moment are written to the partitions of parked blocks, which makes them durable; they stay queued for their own key, and
 * the parked blocks are removed once that has taken them.
 */
export class Parking {
  readonly #options: ParkingOptions;
  /** Handed to the table and not durable, in the order of `since`. */
  readonly #pending = new Set<TrackedParcel>();
  /** Sort keys of the parked blocks that this process is going to remove; they hold the hash of their content. */
  readonly #tracked = new Set<string>();
  /** Sort keys of blocks that were removed since the last round of adoption began. */
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

  /** Watches parcels from the moment they are handed to the table. */
  track(device: KnownDevice, parcels: readonly Parcel[]): QueuedParcel[] {
    const since = performance.now();
    return parcels.map((parcel) => {
      const tracked = new TrackedParcel({ device, parcel, since, owner: this });
      this.#pending.add(tracked);
      this.#watch();
      return tracked;
    });
  }

  /** A parcel of a block that is parked in the table; the block is removed once the parcel is resolved. */
  adopt(device: KnownDevice, { key, readings }: ParkedBlock): QueuedParcel {
    const parcel = new TrackedParcel({ device, readings, since: performance.now(), owner: this });
    this.#hold(new ParkedGroup([parcel], weightOf([parcel])), [key]);
    return parcel;
  }

  /**
   * Whether this process removes the block, or has done so since `beginRound`: what was read before a removal may be looked at
   * after it.
   */
  isTracked({ sk }: Key): boolean {
    return this.#tracked.has(sk) || this.#removed.has(sk);
  }

  /** A round of reading the parked blocks of the table begins. */
  beginRound(): void {
    this.#removed.clear();
  }

  /** Whether parked blocks may be read back into memory. */
  get hasRoom(): boolean {
    return this.#heldBytes < this.#options.maxHeldBytes;
  }

  /** Whether it is time to read parked blocks back. */
  get shouldReadBack(): boolean {
    return this.#heldBytes < this.#options.maxHeldBytes * readBackBelow;
  }

  /** Whether something was left to the table since this was last asked. */
  takeSpilled(): boolean {
    const hasSpilled = this.#hasSpilled;
    this.#hasSpilled = false;
    return hasSpilled;
  }

  /** The parcel's readings are where they belong. */
  resolved(parcel: TrackedParcel): void {
    this.#pending.delete(parcel);
    const { group } = parcel;
    if (group?.isDurable !== true) parcel.release();
    group?.remove(parcel);
    if (group !== undefined) this.#removeIfStored(group);
  }

  /** Of a parked parcel nobody waits for the refusal any more; its block stays, so that nothing is lost. */
  refused(parcel: TrackedParcel, detail: string): boolean {
    if (parcel.group?.isDurable !== true) return false;
    parcel.group.hasRefusal = true;
    const { id } = parcel.device;
    this.#options.log.error(
      { device: id, detail },
      'parked block was rejected by the table; it stays parked',
    );
    return true;
  }

  failed(parcel: TrackedParcel): void {
    this.#pending.delete(parcel);
  }

  /** Removes the parked blocks of what is stored; the others are for the next process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#removing;
    await this.#removeStored();
  }

  /** As long as something is pending, or is to be removed. */
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
    const overdue: TrackedParcel[] = [];
    for (const parcel of this.#pending) {
      if (parcel.since > overdueAt) break;
      if (parcel.group === undefined && this.#options.isThrottled(parcel.device)) {
        overdue.push(parcel);
      }
    }
    const devices = Map.groupBy(overdue, ({ device }) => device);
    for (const [device, parcels] of devices) void this.#park(device, parcels);
  }

  async #park(device: KnownDevice, parcels: TrackedParcel[]): Promise<void> {
    const { blocks, log } = this.#options;
    const group = new ParkedGroup(parcels, weightOf(parcels));
    const readings = parcels.flatMap((parcel) => parcel.readings);
    // While the parcels are waited for: later they have no spans.
    const origins = originsOf(parcels);
    const items = await blocks.pack(device.id, readings);
    const keys = items.map(({ pk, sk }) => ({ pk, sk }));
    // Before a block can be read back.
    for (const { sk } of keys) this.#tracked.add(sk);
    try {
      await blocks.park(items, { origins });
      this.#hold(group, keys);
    } catch (error) {
      // The parcels are still on their way to their own key.
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
      // What was left to the table while its first copy was under way may have been adopted meanwhile.
      if (!group.isSpilled || !this.isTracked(key)) this.#stored.push(key);
    }
    this.#watch();
  }

  #untrack(keys: readonly Key[]): void {
    for (const { sk } of keys) this.#tracked.delete(sk);
  }

  /** Many at a time: at the rate of a throttled device, one by one would be most of the work. */
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
      // Storing them again changes nothing.
      this.#options.log.debug({ err: error }, 'deleting parked blocks failed; retrying');
      this.#stored.push(...keys);
      this.#watch();
    }
  }
}

function weightOf(parcels: readonly TrackedParcel[]): number {
  return parcels.reduce((sum, { readings }) => sum + parkedWeight(readings), 0);
}
