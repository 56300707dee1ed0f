import { invariant } from '@engawa/errors';
import { tolerableAheadMs } from '@engawa/model';
import type { DeviceKind } from '@engawa/model';
import type { KnownDevice } from '../devices/device-register.ts';
import type { Parcel } from './parcel.ts';

/** Minimum linger of readings of a hot device: larger blocks need fewer write units. */
const minHotLingerMs = 1000;

interface LingeringParcels {
  device: KnownDevice;
  parcels: Parcel[];
  /** `aheadMsOf` the last parcel. */
  aheadMs: number;
  timer: NodeJS.Timeout;
}

export interface PackerOptions {
  /** Milliseconds that readings of a kind of device may wait for others. */
  lingerMs: (kind: DeviceKind) => number;
  /** Whether one of the device's keys is hot: then its readings linger in any case. */
  isHot: (device: KnownDevice) => boolean;
  /** Number of lingering parcels of a device at which they are flushed at once; a parcel may hold many readings. */
  maxParcels: number;
  flush: (device: KnownDevice, parcels: readonly Parcel[]) => void;
}

/** Lets the readings of each device linger, so that they share a block. */
export class Packer {
  readonly #options: PackerOptions;
  readonly #waiting = new Map<string, LingeringParcels>();
  #parcels = 0;
  #draining = false;

  constructor(options: PackerOptions) {
    this.#options = options;
  }

  /** @param isBatched whether the sender has batched the readings: then they linger only if the device is hot */
  add(device: KnownDevice, parcel: Parcel, isBatched: boolean): void {
    const lingerMs = this.#lingerMsOf(device, isBatched);
    if (lingerMs === 0) {
      this.#options.flush(device, [parcel]);
      return;
    }
    const aheadMs = aheadMsOf(parcel);
    let waiting = this.#waiting.get(device.id);
    if (waiting !== undefined && isOtherClock(waiting.aheadMs, aheadMs)) {
      this.#flush(device.id);
      waiting = undefined;
    }
    this.#parcels += 1;
    if (waiting === undefined) {
      const timer = setTimeout(() => this.#flush(device.id), lingerMs);
      this.#waiting.set(device.id, { device, parcels: [parcel], aheadMs, timer });
      return;
    }
    waiting.parcels.push(parcel);
    waiting.aheadMs = aheadMs;
    if (waiting.parcels.length >= this.#options.maxParcels) this.#flush(device.id);
  }

  /** Number of parcels that linger. */
  get waiting(): number {
    return this.#parcels;
  }

  /** Disables lingering from now on. */
  drain(): void {
    this.#draining = true;
    this.flushAll();
  }

  flushAll(): void {
    for (const id of [...this.#waiting.keys()]) this.#flush(id);
  }

  #lingerMsOf(device: KnownDevice, isBatched: boolean): number {
    if (this.#draining) return 0;
    const lingerMs = isBatched ? 0 : this.#options.lingerMs(device.kind);
    return this.#options.isHot(device) ? Math.max(lingerMs, minHotLingerMs) : lingerMs;
  }

  #flush(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    this.#parcels -= waiting.parcels.length;
    this.#options.flush(waiting.device, waiting.parcels);
  }
}

/**
 * Whether the lingering readings are from before the clock of the device was set. They do not share a block with later
 * readings, since a block has one receipt, which decides the order of readings that are ahead of theirs.
 */
function isOtherClock(lastAheadMs: number, aheadMs: number): boolean {
  return Math.abs(lastAheadMs - aheadMs) > tolerableAheadMs;
}

/** By how much the last reading is ahead of its receipt; 0 where that shows no wrong clock. */
function aheadMsOf({ readings, receivedAt }: Parcel): number {
  const aheadMs = invariant(readings.at(-1), 'a parcel has at least one reading').time - receivedAt;
  return aheadMs > tolerableAheadMs ? aheadMs : 0;
}
