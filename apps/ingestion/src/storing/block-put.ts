import { ItemRejected } from '@engawa/table';
import type { BlockReceipt, Reading } from '@engawa/model';
import type { PutCaller } from '@engawa/table';
import type { SpanContext } from '@opentelemetry/api';
import type { KnownDevice } from '../devices/device-register.ts';
import type { BlocksInFlight } from './blocks-in-flight.ts';

/** The readings of a block. */
export type Pack = readonly Reading[];

/** Receives the end of a block. */
interface BlockOwner {
  stored(block: BlockPut): void;
  refused(block: BlockPut, detail: string): void;
}

interface BlockOptions {
  device: KnownDevice;
  pack: Pack;
  receipt: BlockReceipt;
  origins: readonly SpanContext[] | undefined;
  /** The blocks that are written together. */
  writing: BlocksInFlight;
}

/** A block on its way to the table. */
export class BlockPut implements PutCaller {
  readonly whenThrottled = 'wait';
  readonly device: KnownDevice;
  readonly pack: Pack;
  readonly receipt: BlockReceipt;
  readonly origins: readonly SpanContext[] | undefined;
  readonly writing: BlocksInFlight;
  readonly #owner: BlockOwner;

  constructor(owner: BlockOwner, { device, pack, receipt, origins, writing }: BlockOptions) {
    this.#owner = owner;
    this.device = device;
    this.pack = pack;
    this.receipt = receipt;
    this.origins = origins;
    this.writing = writing;
  }

  /** A part of this block. */
  withPack(pack: Pack, receipt: BlockReceipt): BlockPut {
    const { device, origins, writing } = this;
    return new BlockPut(this.#owner, { device, pack, receipt, origins, writing });
  }

  resolve(): void {
    this.#owner.stored(this);
  }

  reject(error: unknown): void {
    if (error instanceof ItemRejected) this.#owner.refused(this, error.message);
    else this.writing.failed(error);
  }
}
