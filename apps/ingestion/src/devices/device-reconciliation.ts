import { parseEpochs } from '@engawa/model';
import { retryForever } from '../concurrency/retry-forever.ts';
import { missingIn, replaceShards } from './device-epochs.ts';
import { learnShardsOf } from './known-device.ts';
import type { Document } from '@engawa/model';
import type { RetryOptions } from '../concurrency/retry-forever.ts';
import type { ItemTable } from './bounded-table.ts';
import type { KnownDevice } from './known-device.ts';
import type { BlockSpanUpdates } from './block-span-updates.ts';

export interface DeviceReconciliationOptions extends RetryOptions {
  table: ItemTable;
  blockSpans: BlockSpanUpdates;
}

/**
 * Reconciles the item of a device with the state of this process: the shards and the block span that readers need
 * to find its readings. The item of a device that was deleted and registered again may lack readings stored meanwhile.
 */
export class DeviceReconciliation {
  readonly #options: DeviceReconciliationOptions;
  /** Devices that are being reconciled. */
  readonly #underWay = new Set<string>();

  constructor(options: DeviceReconciliationOptions) {
    this.#options = options;
  }

  async reconcile(device: KnownDevice, item: Document): Promise<void> {
    const epochs = parseEpochs(item['shards']);
    learnShardsOf(device, item);
    if (missingIn(epochs, device.shards).length > 0) {
      const change = { id: device.id, before: epochs, after: device.shards };
      const replace = () => replaceShards(this.#options.table, change);
      const { item: now } = await retryForever(replace, this.#options);
      if (now !== undefined) learnShardsOf(device, now);
    }
    const { blockSpan } = device;
    device.blockSpan = Math.min(blockSpan, Number(item['span']) || 0);
    await this.#options.blockSpans.raise(device, blockSpan);
  }

  /** Runs in the background, once per device at a time: it takes as long as the table throttles the device's key. */
  inBackground(device: KnownDevice, work: () => Promise<void>): void {
    const { log, signal } = this.#options;
    if (this.#underWay.has(device.id)) return;
    this.#underWay.add(device.id);
    work()
      .catch((error: unknown) => {
        if (signal.aborted) return;
        log.warn({ err: error, device: device.id }, 'restoring the item of a device failed');
      })
      .finally(() => this.#underWay.delete(device.id));
  }
}
