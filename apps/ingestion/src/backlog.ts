import { readingUnits } from '@engawa/model';
import { ArrivalRate } from './arrival-rate.ts';
import type { KnownDevice } from './device-register.ts';
import type { Parcel } from './packer.ts';

export interface BacklogOptions {
  /** Whether DynamoDB throttles a key of this device, or did so a moment ago, and not all keys. */
  isThrottled: (device: KnownDevice) => boolean;
  /** How many keys it may be written to. */
  shards: (device: KnownDevice) => number;
  /** Resolves once nothing of it is under way any more; rejects for nothing. */
  store: (device: KnownDevice, parcels: readonly Parcel[]) => Promise<void>;
}

/** What waits of a throttled device. */
interface Waiting {
  device: KnownDevice;
  parcels: { parcel: Parcel; units: number }[];
  /** Write units that are on their way to the table: at least one for each part that was sent. */
  underWay: number;
  arriving: ArrivalRate;
}

/** What is known of what waits. */
export interface WaitingOf {
  /** Write units a second that arrive, lately. */
  arriving: number;
  /** Epoch milliseconds of the oldest reading; Infinity where nothing waits. */
  oldest: number;
}

/** Write units of one key that are given to the table at once: a full batch. */
const depth = 25;

/**
 * Readings of a throttled device wait here, where they are readings still, and not with the writer as blocks: those that
 * wait together share blocks in the end, so that fewer units are needed; and they go to the keys that there are by then.
 */
export class Backlog {
  readonly #options: BacklogOptions;
  readonly #waiting = new Map<string, Waiting>();

  constructor(options: BacklogOptions) {
    this.#options = options;
  }

  /** Stores them now, or when what is before them has been taken. */
  add(device: KnownDevice, parcels: readonly Parcel[]): void {
    const waiting = this.#waiting.get(device.id);
    if (waiting !== undefined) {
      // It may have been deleted and registered again: who goes on with the old one never hears that there are more keys.
      waiting.device = device;
      this.#queue(waiting, parcels);
    } else if (!this.#options.isThrottled(device)) {
      void this.#options.store(device, parcels);
    } else {
      const arriving = new ArrivalRate(performance.now());
      const first: Waiting = { device, parcels: [], underWay: 0, arriving };
      this.#waiting.set(device.id, first);
      this.#queue(first, parcels);
    }
  }

  /** Whether something of the device waits here. */
  holds(device: string): boolean {
    return this.#waiting.has(device);
  }

  waitingOf(device: string): WaitingOf {
    const waiting = this.#waiting.get(device);
    if (waiting === undefined) return { arriving: 0, oldest: Infinity };
    let oldest = Infinity;
    for (const { parcel } of waiting.parcels) {
      for (const { time } of parcel.readings) oldest = Math.min(oldest, time);
    }
    return { arriving: waiting.arriving.perSecond(performance.now()), oldest };
  }

  #queue(waiting: Waiting, parcels: readonly Parcel[]): void {
    for (const parcel of parcels) {
      const units = unitsOf(parcel);
      waiting.parcels.push({ parcel, units });
      waiting.arriving.add(units, performance.now());
    }
    this.#pump(waiting);
  }

  /** In large parts rather than at every chance: what goes together shares blocks. */
  #pump(waiting: Waiting): void {
    const { isThrottled, shards } = this.#options;
    const { device, parcels } = waiting;
    const room = isThrottled(device) ? depth * shards(device) : Infinity;
    if (waiting.underWay <= room / 2) {
      while (parcels.length > 0 && waiting.underWay < room) {
        // No larger than a batch: it ends when the slowest of its keys has taken it.
        this.#send(waiting, Math.min(depth, room - waiting.underWay));
      }
    }
    if (waiting.underWay === 0) this.#waiting.delete(device.id);
  }

  /** So many units from the front, or the first parcel if that has more. */
  #send(waiting: Waiting, room: number): void {
    let units = 0;
    let count = 0;
    for (const { units: more } of waiting.parcels) {
      if (count > 0 && units + more > room) break;
      units += more;
      count += 1;
    }
    const sent = waiting.parcels.splice(0, count).map(({ parcel }) => parcel);
    const blocks = Math.ceil(units);
    waiting.underWay += blocks;
    void this.#options.store(waiting.device, sent).then(() => {
      waiting.underWay -= blocks;
      this.#pump(waiting);
    });
  }
}

/** Of small readings many share a block; of large ones each has its own. */
function unitsOf({ readings }: Parcel): number {
  const units = readingUnits(readings);
  return units > 0.5 ? Math.ceil(units) : units;
}
