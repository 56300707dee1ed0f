import type { KnownDevice } from '../devices/device-register.ts';
import type { BlockWriter } from '../storing/block-writer.ts';
import type { BlocksCaller } from '../storing/blocks-in-flight.ts';
import type { Parcel } from '../storing/parcel.ts';
import type { LiveFeed } from './live-feed.ts';

/** The step `write` of the pipeline, whose durable readings the live feed shows. */
export class WatchedBlocks implements Pick<BlockWriter, 'write'> {
  readonly #blocks: Pick<BlockWriter, 'write'>;
  readonly #live: Pick<LiveFeed, 'watch'>;

  constructor(blocks: Pick<BlockWriter, 'write'>, live: Pick<LiveFeed, 'watch'>) {
    this.#blocks = blocks;
    this.#live = live;
  }

  write(device: KnownDevice, parcels: readonly Parcel[], caller: BlocksCaller): void {
    this.#blocks.write(device, parcels, this.#live.watch(device.id, parcels, caller));
  }
}
