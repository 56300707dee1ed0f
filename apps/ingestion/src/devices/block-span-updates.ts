import { deviceKey } from '@engawa/keys';
import { unlessDeleted } from '@engawa/model';
import { ConditionFailed, less } from '@engawa/table';
import { retryForever } from '../concurrency/retry-forever.ts';
import type { RetryOptions } from '../concurrency/retry-forever.ts';
import type { ItemTable } from './bounded-table.ts';
import type { KnownDevice } from './known-device.ts';

export interface BlockSpanUpdatesOptions extends RetryOptions {
  table: Pick<ItemTable, 'update'>;
}

/** Raises the block span of devices, with one write per device at a time. */
export class BlockSpanUpdates {
  readonly #options: BlockSpanUpdatesOptions;
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: BlockSpanUpdatesOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the device's item has at least this block span (seconds).
   * @throws ItemRejected when the table rejects the update
   */
  async raise(device: KnownDevice, blockSpan: number): Promise<void> {
    while (blockSpan > device.blockSpan) {
      const raising = this.#running.get(device.id) ?? this.#write(device, blockSpan);
      this.#running.set(device.id, raising);
      await raising;
    }
  }

  async #write(device: KnownDevice, blockSpan: number): Promise<void> {
    const { table } = this.#options;
    const change = { set: { span: blockSpan }, onlyIf: less('span', blockSpan) };
    try {
      await retryForever(() => table.update(deviceKey(device.id), change), this.#options);
      device.blockSpan = blockSpan;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // The block span is large enough already, or the device has been deleted: then nothing reads it until it is
      // registered again.
      const item = unlessDeleted(error.item);
      device.blockSpan = item === undefined ? blockSpan : Number(item['span']);
    } finally {
      this.#running.delete(device.id);
    }
  }
}
