import { readingUnits } from '@engawa/model';
import { ArrivalRate } from './arrival-rate.ts';
import type { KnownDevice } from '../devices/device-register.ts';
import type { QueuedParcel } from './parcel.ts';

export interface KeyQueuesOptions {
  /** Whether DynamoDB throttles a key of this device, or did so a moment ago, and not all keys. */
  isThrottled: (device: KnownDevice) => boolean;
  /** How many keys it may be written to. */
  shards: (device: KnownDevice) => number;
  /** Resolves once no part of it is under way any more; never rejects. */
  store: (device: KnownDevice, parcels: readonly QueuedParcel[]) => Promise<void>;
}

interface WeighedParcel {
  parcel: QueuedParcel;
  units: number;
}

/** The queue of one throttled device. */
interface KeyQueue {
  device: KnownDevice;
  /** An acknowledgement waits for these. */
  parcels: WeighedParcel[];
  /** No acknowledgement waits for these: they come last, so that fewer have to be parked. */
  parked: WeighedParcel[];
  /** Write units that are on their way to the table: at least one for each part that was sent. */
  unitsInFlight: number;
  arriving: ArrivalRate;
  leaving: ArrivalRate;
  /** Milliseconds on the monotonic clock. */
  since: number;
}

/** The load of a throttled device. */
export interface QueueLoad {
  /** Write units a second that arrive, lately. */
  arriving: number;
  /** Write units a second that the table takes, lately. */
  leaving: number;
  /** Milliseconds for which the queue has existed without a pause. */
  ageMs: number;
  /** Epoch milliseconds of the oldest reading; Infinity where the queue is empty. */
  oldest: number;
}

const noLoad: QueueLoad = { arriving: 0, leaving: 0, ageMs: 0, oldest: Infinity };

/** Write units of one key that are given to the table at once: a full batch. */
const maxUnitsPerShard = 25;

/**
 * Queues the readings of each throttled device, as readings and not as blocks in the writer: queued together they share
 * blocks, so that fewer units are needed, and they go to all shards that the device has by then.
 */
export class KeyQueues {
  readonly #options: KeyQueuesOptions;
  readonly #queues = new Map<string, KeyQueue>();

  constructor(options: KeyQueuesOptions) {
    this.#options = options;
  }

  /** Stores the parcels now, or after those that are queued before them. */
  add(device: KnownDevice, parcels: readonly QueuedParcel[]): void {
    const queue = this.#queues.get(device.id);
    if (queue !== undefined) {
      // A device that was deleted and registered again has new shards; the old object never learns of them.
      queue.device = device;
      this.#enqueue(queue, parcels);
    } else if (!this.#options.isThrottled(device)) {
      void this.#options.store(device, parcels);
    } else {
      const since = performance.now();
      const [arriving, leaving] = [new ArrivalRate(since), new ArrivalRate(since)];
      const first = { device, parcels: [], parked: [], unitsInFlight: 0, arriving, leaving, since };
      this.#queues.set(device.id, first);
      this.#enqueue(first, parcels);
    }
  }

  /** Whether the device has a queue. */
  holds(device: string): boolean {
    return this.#queues.has(device);
  }

  loadOf(device: string): QueueLoad {
    const queue = this.#queues.get(device);
    if (queue === undefined) return noLoad;
    let oldest = Infinity;
    for (const { parcel } of [...queue.parked, ...queue.parcels]) {
      for (const { time } of parcel.readings) oldest = Math.min(oldest, time);
    }
    const now = performance.now();
    const { arriving, leaving, since } = queue;
    return {
      arriving: arriving.perSecond(now),
      leaving: leaving.perSecond(now),
      ageMs: now - since,
      oldest,
    };
  }

  #enqueue(queue: KeyQueue, parcels: readonly QueuedParcel[]): void {
    for (const parcel of parcels) {
      const units = readingUnits(queue.device.id, parcel.readings);
      queue.parcels.push({ parcel, units });
      // What was parked before has arrived before.
      if (!parcel.isParked) queue.arriving.add(units, performance.now());
    }
    this.#pump(queue);
  }

  /** In large parts rather than at every chance: what goes together shares blocks. */
  #pump(queue: KeyQueue): void {
    const { isThrottled, shards } = this.#options;
    const { device } = queue;
    const room = isThrottled(device) ? maxUnitsPerShard * shards(device) : Infinity;
    if (queue.unitsInFlight <= room / 2) {
      while (nextOf(queue) !== undefined && queue.unitsInFlight < room) {
        // No larger than a batch: it ends when the slowest of its keys has taken it.
        this.#send(queue, Math.min(maxUnitsPerShard, room - queue.unitsInFlight));
      }
    }
    if (queue.unitsInFlight === 0) this.#queues.delete(device.id);
  }

  /** So many units, or one parcel if that has more. */
  #send(queue: KeyQueue, room: number): void {
    const sent: QueuedParcel[] = [];
    let units = 0;
    for (let next = nextOf(queue); next !== undefined; next = nextOf(queue)) {
      const { entry, from } = next;
      if (sent.length > 0 && units + entry.units > room) break;
      from.shift();
      sent.push(entry.parcel);
      units += entry.units;
    }
    const blocks = Math.ceil(units);
    queue.unitsInFlight += blocks;
    void this.#options.store(queue.device, sent).then(() => {
      queue.unitsInFlight -= blocks;
      queue.leaving.add(units, performance.now());
      this.#pump(queue);
    });
  }
}

interface NextParcel {
  entry: WeighedParcel;
  from: WeighedParcel[];
}

/** The oldest entry that is not parked; where there is none, the oldest that is. */
function nextOf({ parcels, parked }: KeyQueue): NextParcel | undefined {
  for (let [first] = parcels; first !== undefined; [first] = parcels) {
    if (!first.parcel.isParked) return { entry: first, from: parcels };
    parcels.shift();
    if (!first.parcel.isSpilled) parked.push(first);
  }
  for (let [first] = parked; first !== undefined; [first] = parked) {
    if (!first.parcel.isSpilled) return { entry: first, from: parked };
    parked.shift();
  }
  return undefined;
}
