import { addSpanEvents } from './add-span-event.ts';
import type { Parcel, RefusedReading } from './parcel.ts';

/** Waits until blocks are durable. */
export interface BlocksCaller {
  /** All readings are durable, except these. */
  stored(refused: readonly RefusedReading[]): void;
  /** The process ends first (WriterClosed), or an unexpected error. */
  failed(error: unknown): void;
}

/** Counts blocks that are written together, and informs their caller once: thousands of messages wait for blocks. */
export class BlocksInFlight {
  readonly #parcels: readonly Parcel[];
  readonly #caller: BlocksCaller;
  readonly #refused: RefusedReading[] = [];
  #open: number;
  #hasFailed = false;

  /** @param parcels whose readings are in the blocks */
  constructor(blocks: number, parcels: readonly Parcel[], caller: BlocksCaller) {
    this.#open = blocks;
    this.#parcels = parcels;
    this.#caller = caller;
    if (blocks === 0) this.#end();
  }

  /** A block becomes two. */
  split(): void {
    this.#open += 1;
  }

  /** A block is durable, except the refused readings. */
  ended(refused: readonly RefusedReading[]): void {
    this.#refused.push(...refused);
    this.#open -= 1;
    if (this.#open === 0 && !this.#hasFailed) this.#end();
  }

  #end(): void {
    try {
      addSpanEvents(this.#parcels, 'stored');
      this.#caller.stored(this.#refused);
    } catch (error) {
      this.failed(error);
    }
  }

  /** The caller is informed of the first error only. */
  failed(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#caller.failed(error);
  }
}
