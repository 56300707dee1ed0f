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

  constructor({ window, packer }: FlushOnStallOptions) {
    this.#stall = new BrokerStall(window);
    this.#packer = packer;
    this.#quiet = setTimeout(() => this.#flushIfQuiet(), quietMs).unref();
  }

  connected(): void {
    this.#stall.connected();
  }

  received(): void {
    this.#stall.received();
    this.#quiet.refresh();
  }

  acknowledged(count: number): void {
    this.#stall.acknowledged(count);
  }

  lost(count: number): void {
    this.#stall.lost(count);
  }

  packed(): void {
    if (this.#stall.isFull(this.#packer.waiting)) this.#packer.flushAll();
  }

  #flushIfQuiet(): void {
    if (this.#stall.isQuiet(this.#packer.waiting)) this.#packer.flushAll();
    else if (this.#packer.waiting > 0) this.#quiet.refresh();
  }
}
