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

interface Entry {
  parcel: Parcel;
  units: number;
}

/** What waits of a throttled device. */
interface Waiting {
  device: KnownDevice;
  parcels: Entry[];
  /** Those whose messages are kept as letters: they come behind all others, so that fewer have to be kept. */
  kept: Entry[];
  /** Write units that are on their way to the table: at least one for each part that was sent. */
  underWay: number;
  arriving: ArrivalRate;
  leaving: ArrivalRate;
  /** On the clock that never goes back. */
  since: number;
}

/** What is known of what waits. */
export interface WaitingOf {
  /** Write units a second that arrive, lately. */
  arriving: number;
  /** Write units a second that the table takes, lately. */
  leaving: number;
  /** Milliseconds for which something has been waiting without a pause. */
  lasting: number;
  /** Epoch milliseconds of the oldest reading; Infinity where nothing waits. */
  oldest: number;
}

const nothing: WaitingOf = { arriving: 0, leaving: 0, lasting: 0, oldest: Infinity };

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
      const since = performance.now();
      const [arriving, leaving] = [new ArrivalRate(since), new ArrivalRate(since)];
      const first: Waiting = {
        device,
        parcels: [],
        kept: [],
        underWay: 0,
        arriving,
        leaving,
        since,
      };
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
    if (waiting === undefined) return nothing;
    let oldest = Infinity;
    for (const { parcel } of [...waiting.kept, ...waiting.parcels]) {
      for (const { time } of parcel.readings) oldest = Math.min(oldest, time);
    }
    const now = performance.now();
    const { arriving, leaving, since } = waiting;
    return {
      arriving: arriving.perSecond(now),
      leaving: leaving.perSecond(now),
      lasting: now - since,
      oldest,
    };
  }

  #queue(waiting: Waiting, parcels: readonly Parcel[]): void {
    for (const parcel of parcels) {
      const units = readingUnits(waiting.device.id, parcel.readings);
      waiting.parcels.push({ parcel, units });
      waiting.arriving.add(units, performance.now());
    }
    this.#pump(waiting);
  }

  /** In large parts rather than at every chance: what goes together shares blocks. */
  #pump(waiting: Waiting): void {
    const { isThrottled, shards } = this.#options;
    const { device } = waiting;
    const room = isThrottled(device) ? depth * shards(device) : Infinity;
    if (waiting.underWay <= room / 2) {
      while (nextOf(waiting) !== undefined && waiting.underWay < room) {
        // No larger than a batch: it ends when the slowest of its keys has taken it.
        this.#send(waiting, Math.min(depth, room - waiting.underWay));
      }
    }
    if (waiting.underWay === 0) this.#waiting.delete(device.id);
  }

  /** So many units, or one parcel if that has more. */
  #send(waiting: Waiting, room: number): void {
    const sent: Parcel[] = [];
    let units = 0;
    for (let next = nextOf(waiting); next !== undefined; next = nextOf(waiting)) {
      const { entry, queue } = next;
      if (sent.length > 0 && units + entry.units > room) break;
      queue.shift();
      sent.push(entry.parcel);
      units += entry.units;
    }
    const blocks = Math.ceil(units);
    waiting.underWay += blocks;
    void this.#options.store(waiting.device, sent).then(() => {
      waiting.underWay -= blocks;
      waiting.leaving.add(units, performance.now());
      this.#pump(waiting);
    });
  }
}

/** The oldest that nobody has kept, and only then the oldest that has been. */
function nextOf({ parcels, kept }: Waiting): { entry: Entry; queue: Entry[] } | undefined {
  for (let [first] = parcels; first !== undefined; [first] = parcels) {
    if (first.parcel.isKept?.() !== true) return { entry: first, queue: parcels };
    parcels.shift();
    kept.push(first);
  }
  const [entry] = kept;
  return entry && { entry, queue: kept };
}
