import { BrokerStall, quietMs } from './broker-stall.ts';
import type { InFlightListener } from '@engawa/mqtt';

export interface FlushOnStallOptions {
  /** Messages that may be unacknowledged at once. */
  window: number;
  packer: {
    /** Parcels that linger. */
    readonly waiting: number;
    flushAll(): void;
  };
}

/**
 * Writes lingering readings at once when the broker is stalled: it sends nothing until its messages are acknowledged.
 */
export class FlushOnStall implements InFlightListener {
  readonly #stall: BrokerStall;
  readonly #packer: FlushOnStallOptions['packer'];
  readonly #quiet: NodeJS.Timeout;
  #isQuietAwaited = true;

  constructor({ window, packer }: FlushOnStallOptions) {
    this.#stall = new BrokerStall(window);
    this.#packer = packer;
    this.#quiet = setTimeout(() => this.#flushIfStalled(), quietMs).unref();
  }

  connected(): void {
    this.#stall.connected();
  }

  received(): void {
    this.#stall.received();
    this.#awaitQuiet();
  }

  acknowledged(count: number): void {
    this.#stall.acknowledged(count);
  }

  lost(count: number): void {
    this.#stall.lost(count);
  }

  /** Readings of a new device are packed once it is registered: the broker may have been quiet for long by then. */
  packed(): void {
    if (this.#stall.isFull(this.#packer.waiting)) this.#packer.flushAll();
    else if (!this.#isQuietAwaited) this.#awaitQuiet();
  }

  #awaitQuiet(): void {
    this.#isQuietAwaited = true;
    this.#quiet.refresh();
  }

  /** Once for each silence: a stalled broker goes on when the first of these readings has ended its linger. */
  #flushIfStalled(): void {
    this.#isQuietAwaited = false;
    if (this.#stall.isQuiet(this.#packer.waiting)) this.#packer.flushAll();
  }
}
