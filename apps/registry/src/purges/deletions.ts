import { deleteDevice } from './delete-device.ts';
import { deleteLocation } from './delete-location.ts';
import type { Table } from '@engawa/table';
import type { DeviceCache } from '../devices/device-cache.ts';
import type { DeviceDeletion } from './delete-device.ts';
import type { LocationDeletion } from './delete-location.ts';
import type { PurgeRunner } from './purge-runner.ts';

export interface DeletionsOptions {
  table: Table;
  known: DeviceCache;
  purges: PurgeRunner;
}

/** Deletes devices, places and rooms. They are gone when the method resolves; their data is purged soon after. */
export class Deletions {
  readonly #options: DeletionsOptions;

  constructor(options: DeletionsOptions) {
    this.#options = options;
  }

  async device(deletion: DeviceDeletion): Promise<void> {
    this.#options.purges.begin(await deleteDevice(this.#options, deletion));
  }

  /** A place, or a room of it. */
  async location(deletion: LocationDeletion): Promise<void> {
    this.#options.purges.begin(await deleteLocation(this.#options.table, deletion));
  }
}
