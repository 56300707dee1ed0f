import { filterKey, locationKey, Subscription } from './subscription.ts';
import type { ReadingSource } from './live-event.ts';
import type { LiveFilter } from './subscription.ts';

type Index = Map<string, Set<Subscription>>;

/** The subscriptions, indexed so that a reading meets only those that select it. */
export class Subscriptions {
  readonly #byFilter = new Map<string, Subscription>();
  readonly #ofAll = new Set<Subscription>();
  readonly #ofDevices: Index = new Map();
  readonly #ofLocations: Index = new Map();

  get size(): number {
    return this.#byFilter.size;
  }

  find(filter: LiveFilter): Subscription | undefined {
    return this.#byFilter.get(filterKey(filter));
  }

  all(): Iterable<Subscription> {
    return this.#byFilter.values();
  }

  add(filter: LiveFilter, since: number): Subscription {
    const subscription = new Subscription(filter, since);
    this.#byFilter.set(filterKey(filter), subscription);
    if (subscription.selectsAll) this.#ofAll.add(subscription);
    for (const device of subscription.devices) insert(this.#ofDevices, device, subscription);
    for (const location of subscription.locations) {
      insert(this.#ofLocations, location, subscription);
    }
    return subscription;
  }

  remove(subscription: Subscription): void {
    this.#byFilter.delete(filterKey(subscription.filter));
    this.#ofAll.delete(subscription);
    for (const device of subscription.devices) erase(this.#ofDevices, device, subscription);
    for (const location of subscription.locations) erase(this.#ofLocations, location, subscription);
  }

  /** Whether readings of the device may be selected, wherever the device is. */
  maySelect(device: string): boolean {
    return this.#ofAll.size > 0 || this.#ofLocations.size > 0 || this.#ofDevices.has(device);
  }

  /** The subscriptions that select the reading, each once. */
  selecting({ device, place, room }: ReadingSource): ReadonlySet<Subscription> {
    const ofDevice = this.#ofDevices.get(device);
    const ofPlace = place === undefined ? undefined : this.#ofLocations.get(locationKey(place));
    const ofRoom =
      place === undefined || room === undefined
        ? undefined
        : this.#ofLocations.get(locationKey(place, room));
    const [first = this.#ofAll, ...others] = [ofDevice, ofPlace, ofRoom].filter(
      (found) => found !== undefined,
    );
    if (first === this.#ofAll) return first;
    return new Set([...this.#ofAll, ...first, ...others.flatMap((found) => [...found])]);
  }
}

function insert(index: Index, key: string, subscription: Subscription): void {
  const found = index.get(key);
  if (found === undefined) index.set(key, new Set([subscription]));
  else found.add(subscription);
}

function erase(index: Index, key: string, subscription: Subscription): void {
  const found = index.get(key);
  found?.delete(subscription);
  if (found?.size === 0) index.delete(key);
}
