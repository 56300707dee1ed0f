import { earliestInstant, latestInstant } from '@engawa/keys';
import pMap from 'p-map';
import { locationNotFound } from './memberships/membership-store.ts';
import { deviceNotFound } from './devices/device-store.ts';
import { latestByReceipt } from './latest/latest-by-receipt.ts';
import { maxConcurrentQueries } from './limits.ts';
import type { RequestBudget, Places } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { Latest } from './latest/latest-of-device.ts';
import type {
  DevicePeriod,
  MembershipStore,
  RoomPeriod,
  Location,
} from './memberships/membership-store.ts';
import type { TimeRange } from './time-range.ts';
import type { DeviceStore } from './devices/device-store.ts';
import type { HotLatest } from './latest/hot-latest.ts';
import type { ReadingPage } from './readings/merge-blocks.ts';
import type { ReadingStore } from './readings/reading-store.ts';

/** The unit budget of a page, the signal that cancels the request, and the places that the client may see. */
export interface RequestLimits {
  budget: RequestBudget;
  signal: AbortSignal;
  places: Places;
}

export interface VisibleReadingsOptions {
  devices: DeviceStore;
  latest: Pick<HotLatest, 'get'>;
  readings: ReadingStore;
  memberships: MembershipStore;
}

/**
 * Decides which readings a client may see. The readings of a pending device are hidden
 * (docs/adr/0042). A client that is restricted to places sees the devices there, and of their
 * readings those taken there (docs/adr/0041).
 */
export class VisibleReadings {
  readonly #stores: VisibleReadingsOptions;

  constructor(stores: VisibleReadingsOptions) {
    this.#stores = stores;
  }

  /** Undefined where there is no such device, or the client may not see it. */
  async find(id: string, { budget, places }: RequestLimits): Promise<Device | undefined> {
    const device = await this.#stores.devices.find(id, budget);
    return device !== undefined && places.allows(device.place) ? device : undefined;
  }

  /** As `find`. @throws Problem `device-not-found` */
  async device(id: string, limits: RequestLimits): Promise<Device> {
    const device = await this.find(id, limits);
    if (device === undefined) throw deviceNotFound(id);
    return device;
  }

  /** The times within the range of which a device's readings are visible. @throws Problem `device-not-found` */
  async ofDevice(id: string, range: TimeRange, limits: RequestLimits): Promise<DevicePeriod[]> {
    const device = await this.device(id, limits);
    if (device.status === 'pending') return [];
    if (!limits.places.isRestricted) return [{ device: id, ...range, since: earliestInstant }];
    return this.#stores.memberships.ofDevice({ device: id, ...range, ...limits });
  }

  /** The visible times of each device in a room or at a place. @throws Problem `place-not-found`, `room-not-found` */
  async takenAt(
    location: Location,
    range: TimeRange,
    limits: RequestLimits,
  ): Promise<DevicePeriod[]> {
    const { budget, signal } = limits;
    expectLocation(location, limits.places);
    const periods = await this.#stores.memberships.overlapping({
      ...location,
      ...range,
      budget,
      signal,
    });
    const ids = [...new Set(periods.map(({ device }) => device))];
    const found = await pMap(ids, (id) => this.#stores.devices.find(id, budget), {
      concurrency: maxConcurrentQueries,
    });
    const visibleDevices = new Set(
      found.flatMap((device) => (device?.status === 'active' ? device.id : [])),
    );
    return periods.filter(({ device }) => visibleDevices.has(device));
  }

  /** Splits periods at a place by room: cut where a device was moved. */
  async roomsOf(
    place: string,
    periods: readonly DevicePeriod[],
    { budget, signal }: RequestLimits,
  ): Promise<RoomPeriod[]> {
    const byDevice = [...Map.groupBy(periods, ({ device }) => device)];
    const ofEach = await pMap(
      byDevice,
      ([device, own]) => this.#stores.memberships.roomsOf(own, { device, place, budget, signal }),
      { concurrency: maxConcurrentQueries },
    );
    return ofEach.flat();
  }

  /**
   * The devices that are in a room or at a place now, or were there at a time (epoch milliseconds).
   * @throws Problem `place-not-found`, `room-not-found`
   */
  async presentAt(
    location: Location,
    { budget, signal, places }: RequestLimits,
    at?: number,
  ): Promise<string[]> {
    expectLocation(location, places);
    return this.#stores.memberships.present({ ...location, budget, signal }, at);
  }

  /** A device with its newest readings; undefined where there is no such device, or the client may not see it. */
  async latest(id: string, limit: number, limits: RequestLimits): Promise<Latest | undefined> {
    const { budget, signal, places } = limits;
    if (!places.isRestricted) return this.#stores.latest.get({ id, limit, budget, signal });
    const device = await this.find(id, limits);
    if (device === undefined) return undefined;
    const pageOf = async ({ limit, ...part }: TimeRange & { limit: number }) => {
      const periods = await this.ofDevice(id, part, limits);
      const order = 'desc' as const;
      return this.#stores.readings.page({ periods, ...part, order, limit, budget, signal });
    };
    const { readings: newest, next } = await this.#newest(device, limit, pageOf, limits);
    const found = { device, readings: newest, limit, pageOf, budget, now: Date.now() };
    const readings = await latestByReceipt(found);
    return { device, readings, isIncomplete: next !== undefined && readings.length < limit };
  }

  /** The newest readings: mostly of the latest stays, so that a long history is not read for them. */
  async #newest(
    { id }: Device,
    limit: number,
    pageOf: (range: TimeRange & { limit: number }) => Promise<ReadingPage>,
    { budget, signal }: RequestLimits,
  ): Promise<ReadingPage> {
    const to = latestInstant;
    const from = await this.#stores.memberships.recentSince({ device: id, budget, signal });
    const recent = await pageOf({ from, to, limit });
    if (from === earliestInstant || recent.readings.length === limit) return recent;
    return recent.next === undefined ? pageOf({ from: earliestInstant, to, limit }) : recent;
  }
}

function expectLocation(location: Location, places: Places): void {
  if (!places.allows(location.place)) throw locationNotFound(location);
}
