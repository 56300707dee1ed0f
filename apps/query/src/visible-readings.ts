import { earliestInstant, latestInstant } from '@engawa/keys';
import { inTurns } from './in-turns.ts';
import { locationNotFound } from './membership-store.ts';
import { deviceNotFound } from './readings/reading-store.ts';
import { queriesAtOnce } from './readings/read-page.ts';
import type { Budget, Places } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { Latest } from './latest/latest-of-device.ts';
import type { DevicePeriod, MembershipStore, RoomPeriod, Location } from './membership-store.ts';
import type { TimeRange } from './readings/merge-blocks.ts';
import type { ReadingStore } from './readings/reading-store.ts';

/** The unit budget of a page, the signal that ends it, and the places of the caller. */
export interface RequestLimits {
  budget: Budget;
  signal: AbortSignal;
  places: Places;
}

export interface VisibleReadingsOptions {
  readings: ReadingStore;
  memberships: MembershipStore;
}

/**
 * Which readings may be shown: none of a device that is not approved yet (docs/adr/0042), and to a caller who is restricted
 * to places those that were taken there, of devices that are there (docs/adr/0041).
 */
export class VisibleReadings {
  readonly #readings: ReadingStore;
  readonly #memberships: MembershipStore;

  constructor({ readings, memberships }: VisibleReadingsOptions) {
    this.#readings = readings;
    this.#memberships = memberships;
  }

  /** A device that the caller may see; undefined where there is none. */
  async find(id: string, { budget, places }: RequestLimits): Promise<Device | undefined> {
    const device = await this.#readings.find(id, budget);
    return device !== undefined && places.allows(device.place) ? device : undefined;
  }

  /** As `find`. @throws Problem `device-not-found` */
  async device(id: string, means: RequestLimits): Promise<Device> {
    const device = await this.find(id, means);
    if (device === undefined) throw deviceNotFound(id);
    return device;
  }

  /** When those of a device were taken. @throws Problem `device-not-found` */
  async ofDevice(id: string, range: TimeRange, means: RequestLimits): Promise<DevicePeriod[]> {
    const device = await this.device(id, means);
    if (device.status === 'pending') return [];
    if (!means.places.isRestricted) return [{ device: id, ...range }];
    return this.#memberships.ofDevice({ device: id, ...range, ...means });
  }

  /** When those of each device were taken in a room or at a place. @throws Problem `place-not-found`, `room-not-found` */
  async takenAt(scene: Location, range: TimeRange, means: RequestLimits): Promise<DevicePeriod[]> {
    const { budget, signal } = means;
    expectLocation(scene, means.places);
    const periods = await this.#memberships.overlapping({ ...scene, ...range, budget, signal });
    const ids = [...new Set(periods.map(({ device }) => device))];
    const found = await inTurns(ids, queriesAtOnce, (id) => this.#readings.find(id, budget));
    const shown = new Set(
      found.flatMap((device) => (device?.status === 'active' ? device.id : [])),
    );
    return periods.filter(({ device }) => shown.has(device));
  }

  /** In which rooms those that were taken at a place were taken: the same times, cut where a device was moved. */
  async roomsOf(
    place: string,
    periods: readonly DevicePeriod[],
    { budget, signal }: RequestLimits,
  ): Promise<RoomPeriod[]> {
    const byDevice = [...Map.groupBy(periods, ({ device }) => device)];
    const ofEach = await inTurns(byDevice, queriesAtOnce, ([device, own]) =>
      this.#memberships.roomsOf(own, { device, place, budget, signal }),
    );
    return ofEach.flat();
  }

  /** The devices that are in a room or at a place now. @throws Problem `place-not-found`, `room-not-found` */
  async presentAt(scene: Location, { budget, signal, places }: RequestLimits): Promise<string[]> {
    expectLocation(scene, places);
    return this.#memberships.present({ ...scene, budget, signal }, Date.now());
  }

  /** A device with its newest readings; undefined where there is none to be seen. */
  async latest(id: string, limit: number, means: RequestLimits): Promise<Latest | undefined> {
    const { budget, signal, places } = means;
    if (!places.isRestricted) return this.#readings.latest({ id, limit, budget, signal });
    const device = await this.find(id, means);
    if (device === undefined) return undefined;
    const range = { from: earliestInstant, to: latestInstant };
    const periods = await this.ofDevice(id, range, means);
    const asked = { periods, ...range, order: 'desc' as const, limit, budget, signal };
    const { readings, next } = await this.#readings.readings(asked);
    return { device, readings, isIncomplete: next !== undefined && readings.length < limit };
  }
}

function expectLocation(scene: Location, places: Places): void {
  if (!places.allows(scene.place)) throw locationNotFound(scene);
}
