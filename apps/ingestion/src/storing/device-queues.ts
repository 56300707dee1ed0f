import { readingUnits } from '@engawa/model';
import { ArrivalRate } from './arrival-rate.ts';
import type { KnownDevice } from '../devices/device-register.ts';
import type { QueuedParcel } from './parcel.ts';

export interface DeviceQueuesOptions {
  /** Whether DynamoDB throttles a key of this device, now or a moment ago, but not the whole table. */
  isThrottled: (device: KnownDevice) => boolean;
  /** Number of keys that the readings of the device may be written to. */
  shards: (device: KnownDevice) => number;
  /** Calls back once nothing of it is in flight. */
  store: (device: KnownDevice, parcels: readonly QueuedParcel[], onEnd?: () => void) => void;
}

interface WeighedParcel {
  parcel: QueuedParcel;
  units: number;
}

/** The queue of one throttled device. */
interface DeviceQueue {
  device: KnownDevice;
  /** Acknowledgements wait for these parcels. */
  parcels: WeighedParcel[];
  /** No acknowledgement waits for these parcels: they are stored last, so that fewer others have to be parked. */
  parked: WeighedParcel[];
  /** Write units in flight; at least one for each request. */
  unitsInFlight: number;
  arriving: ArrivalRate;
  leaving: ArrivalRate;
  /** When the queue was created, in monotonic milliseconds. */
  since: number;
}

/** The load of a throttled device. */
export interface QueueLoad {
  /** Arrival rate over the last seconds, in write units per second. */
  arriving: number;
  /** Write units per second accepted by the table over the last seconds. */
  leaving: number;
  /** Milliseconds for which the queue has not been empty. */
  ageMs: number;
  /** Epoch milliseconds of the oldest reading; Infinity if the queue is empty. */
  oldest: number;
}

const noLoad: QueueLoad = { arriving: 0, leaving: 0, ageMs: 0, oldest: Infinity };

/** Maximum write units of one key in flight: a full batch. */
const maxUnitsPerShard = 25;

/**
 * A queue for each throttled device. It holds readings, not blocks: readings that are sent together share blocks, which
 * takes fewer write units, and go to all shards that the device has by then.
 */
export class DeviceQueues {
  readonly #options: DeviceQueuesOptions;
  readonly #queues = new Map<string, DeviceQueue>();

  constructor(options: DeviceQueuesOptions) {
    this.#options = options;
  }

  /** Stores the parcels at once, or after the parcels in the queue of the device. */
  add(device: KnownDevice, parcels: readonly QueuedParcel[]): void {
    const queue = this.#queues.get(device.id);
    if (queue !== undefined) {
      // A device that was deleted and registered again has new shards, of which the former object does not know.
      queue.device = device;
      this.#enqueue(queue, parcels);
    } else if (!this.#options.isThrottled(device)) {
      this.#options.store(device, parcels);
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

  #enqueue(queue: DeviceQueue, parcels: readonly QueuedParcel[]): void {
    for (const parcel of parcels) {
      const units = readingUnits(queue.device.id, parcel.readings);
      queue.parcels.push({ parcel, units });
      // A parked parcel arrived before: it does not count again.
      if (!parcel.isParked) queue.arriving.add(units, performance.now());
    }
    this.#pump(queue);
  }

  /** Sends large batches rather than single parcels: parcels that are sent together share blocks. */
  #pump(queue: DeviceQueue): void {
    const { isThrottled, shards } = this.#options;
    const { device } = queue;
    const room = isThrottled(device) ? maxUnitsPerShard * shards(device) : Infinity;
    if (queue.unitsInFlight <= room / 2) {
      while (nextOf(queue) !== undefined && queue.unitsInFlight < room) {
        // At most a batch: a larger request ends only when the slowest of its keys has accepted its part.
        this.#send(queue, Math.min(maxUnitsPerShard, room - queue.unitsInFlight));
      }
    }
    if (queue.unitsInFlight === 0) this.#queues.delete(device.id);
  }

  /** Sends parcels of at most `room` write units, or one larger parcel. */
  #send(queue: DeviceQueue, room: number): void {
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
    this.#options.store(queue.device, sent, () => {
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

/** The oldest parcel that is not parked; if there is none, the oldest parked parcel. */
function nextOf({ parcels, parked }: DeviceQueue): NextParcel | undefined {
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
