import { placementKey } from '@engawa/keys';
import { eventAttributes, eventOf } from '@engawa/model';
import { absent, allOf, anyOf, ConditionFailed, less, present } from '@engawa/table';
import { retryForever } from './retry-forever.ts';
import type { Fields, Reading } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { DeviceRegister, KnownDevice } from './device-register.ts';
import type { RetryOptions } from './retry-forever.ts';

export interface PlacementEventsOptions extends RetryOptions {
  table: Table;
  devices: DeviceRegister;
}

interface Event {
  /** Epoch milliseconds. */
  time: number;
  fields: Fields;
}

/** Shows at a device's place what happened there last: a door that was opened, a button that was pressed. */
export class PlacementEvents {
  readonly #options: PlacementEventsOptions;

  constructor(options: PlacementEventsOptions) {
    this.#options = options;
  }

  /** Resolves when the newest event of these readings is shown, or a newer one is, or the device has no place. */
  async show(device: KnownDevice, readings: readonly Reading[]): Promise<void> {
    const event = newestEvent(readings);
    if (event === undefined) return;
    if (await this.#write(device, event)) return;
    // Where it is not, or not any more: only its own item knows. Whoever moves it raises no alarm here.
    await this.#options.devices.refresh(device);
    await this.#write(device, event);
  }

  /** @returns whether the device is placed where it is thought to be */
  async #write({ id, place }: KnownDevice, { time, fields }: Event): Promise<boolean> {
    if (place === undefined) return false;
    const { table } = this.#options;
    const isNewer = anyOf(absent('lastEventAt'), less('lastEventAt', time));
    const change = {
      set: eventAttributes(time, fields),
      onlyIf: allOf(present('pk'), isNewer),
    };
    try {
      await retryForever(() => table.update(placementKey(place, id), change), this.#options);
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return error.item !== undefined;
      throw error;
    }
  }
}

function newestEvent(readings: readonly Reading[]): Event | undefined {
  let newest: Event | undefined;
  for (const { time, fields } of readings) {
    if (newest !== undefined && newest.time >= time) continue;
    const event = eventOf(fields);
    if (event !== undefined) newest = { time, fields: event };
  }
  return newest;
}
