import { batchOf } from './live-event.ts';
import type { LiveEvent, ReadingSource } from './live-event.ts';
import type { Listener } from './listener.ts';

export interface Room {
  place: string;
  room: string;
}

/** A reading is selected if any part selects it, or if there is no part. */
export interface LiveFilter {
  devices: readonly string[];
  rooms: readonly Room[];
  places: readonly string[];
}

/** Bytes of events from which on they are sent at once: a slow listener holds one write above Node's mark. */
const maxBatchBytes = 16 * 1024;

/** The listeners with the same filter. */
export class Subscription {
  readonly filter: LiveFilter;
  /** The ring contains all events after this sequence that the filter selects, except evicted ones. */
  readonly since: number;
  readonly listeners = new Set<Listener>();
  /** Monotonic milliseconds when the last listener left; undefined while there are listeners. */
  emptySince: number | undefined;
  readonly #devices: ReadonlySet<string>;
  readonly #locations: ReadonlySet<string>;
  /** Events of this turn of the event loop. */
  #pending: LiveEvent[] = [];
  #pendingBytes = 0;

  constructor(filter: LiveFilter, since: number) {
    this.filter = filter;
    this.since = since;
    this.#devices = new Set(filter.devices);
    this.#locations = new Set([
      ...filter.places.map((place) => locationKey(place)),
      ...filter.rooms.map(({ place, room }) => locationKey(place, room)),
    ]);
  }

  get selectsAll(): boolean {
    return this.#devices.size === 0 && this.#locations.size === 0;
  }

  get devices(): Iterable<string> {
    return this.#devices;
  }

  /** Keys of `locationKey`. */
  get locations(): Iterable<string> {
    return this.#locations;
  }

  selects({ device, place, room }: ReadingSource): boolean {
    if (this.selectsAll || this.#devices.has(device)) return true;
    if (place === undefined || this.#locations.size === 0) return false;
    return (
      this.#locations.has(locationKey(place)) ||
      (room !== undefined && this.#locations.has(locationKey(place, room)))
    );
  }

  /** @returns whether it is the first event since `flush` */
  offer(event: LiveEvent): boolean {
    const isFirst = this.#pending.push(event) === 1;
    this.#pendingBytes += event.bytes.length;
    if (this.#pendingBytes >= maxBatchBytes) this.flush();
    return isFirst;
  }

  /** Sends the events of this turn, with one write per listener and the same bytes for all. */
  flush(): void {
    if (this.#pending.length === 0) return;
    const batch = batchOf(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    for (const listener of this.listeners) listener.offer(batch);
  }
}

/** The key of a place, or of a room in it: ids contain no control characters. */
export function locationKey(place: string, room?: string): string {
  return room === undefined ? place : `${place}\n${room}`;
}

/** Equal for filters that select the same readings. */
export function filterKey({ devices, rooms, places }: LiveFilter): string {
  const locations = rooms.map(({ place, room }) => locationKey(place, room));
  return JSON.stringify([devices, locations, places].map((ids) => [...new Set(ids)].sort()));
}
