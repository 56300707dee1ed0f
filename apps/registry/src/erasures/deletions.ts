import { deleteDevice } from './delete-device.ts';
import { deleteScene } from './delete-scene.ts';
import type { Table } from '@engawa/table';
import type { DeviceCache } from '../devices/device-cache.ts';
import type { DeviceDeletion } from './delete-device.ts';
import type { SceneDeletion } from './delete-scene.ts';
import type { Eraser } from './eraser.ts';

export interface DeletionsOptions {
  table: Table;
  known: DeviceCache;
  eraser: Eraser;
}

/** Deletes things. They are gone when it resolves, and all that belongs to them soon after. */
export class Deletions {
  readonly #options: DeletionsOptions;

  constructor(options: DeletionsOptions) {
    this.#options = options;
  }

  async device(deletion: DeviceDeletion): Promise<void> {
    this.#options.eraser.begin(await deleteDevice(this.#options, deletion));
  }

  /** A place, or a room of it. */
  async scene(deletion: SceneDeletion): Promise<void> {
    this.#options.eraser.begin(await deleteScene(this.#options.table, deletion));
  }
}
