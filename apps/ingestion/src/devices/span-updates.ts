import { deviceKey } from '@engawa/keys';
import { unlessDeleted } from '@engawa/model';
import { ConditionFailed, less } from '@engawa/table';
import { retryForever } from '../concurrency/retry-forever.ts';
import type { RetryOptions } from '../concurrency/retry-forever.ts';
import type { ItemTable } from './bounded-table.ts';
import type { KnownDevice } from './known-device.ts';

export interface SpanUpdatesOptions extends RetryOptions {
  table: Pick<ItemTable, 'update'>;
}

/** Raises the span of devices, with one write per device at a time. */
export class SpanUpdates {
  readonly #options: SpanUpdatesOptions;
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: SpanUpdatesOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the device's item has at least this span (seconds).
   * @throws ItemRejected when the table rejects the update
   */
  async raise(device: KnownDevice, span: number): Promise<void> {
    while (span > device.span) {
      const raising = this.#running.get(device.id) ?? this.#write(device, span);
      this.#running.set(device.id, raising);
      await raising;
    }
  }

  async #write(device: KnownDevice, span: number): Promise<void> {
    const { table } = this.#options;
    const change = { set: { span }, onlyIf: less('span', span) };
    try {
      await retryForever(() => table.update(deviceKey(device.id), change), this.#options);
      device.span = span;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // The span is large enough already, or the device has been deleted: then nothing reads it until it is
      // registered again.
      const item = unlessDeleted(error.item);
      device.span = item === undefined ? span : Number(item['span']);
    } finally {
      this.#running.delete(device.id);
    }
  }
}
