import { decodeMessage, findDecoder } from './decode-message.ts';
import { checkReading } from './check-reading.ts';
import { InFlightLimit } from './in-flight-limit.ts';
import { Packer } from './packer.ts';
import { Receipt } from './receipt.ts';
import { Rejection } from './rejection.ts';
import type { DeviceKind, Reading } from '@engawa/model';
import type { Message } from '@engawa/mqtt';
import type { Logger } from 'pino';
import type { TimeLimits } from './check-reading.ts';
import type { DeadLetterStore, Refusal } from './dead-letter-store.ts';
import type { Decoded, Decoder } from './decoders/decoder.ts';
import type { DeviceRegister, KnownDevice } from './device-register.ts';
import type { IngestionMetrics } from './metrics.ts';
import type { Parcel } from './packer.ts';
import type { ReadingStore } from './reading-store.ts';

/** Single readings of a minute-by-minute device that fit a block; more gains nothing. */
const fullBlock = 60;

export interface PipelineOptions {
  decoders: readonly Decoder[];
  devices: DeviceRegister;
  readings: ReadingStore;
  deadLetters: DeadLetterStore;
  metrics: IngestionMetrics;
  log: Logger;
  timeLimits: TimeLimits;
  /** Milliseconds that single readings of a kind of device may wait to share a block. */
  linger: (kind: DeviceKind) => number;
  /** Messages that may be unacknowledged at once. */
  window: number;
}

/**
 * receive → decode → check → admit → pack → write → project → release. A message is released, and so acknowledged, when
 * all that came of it is durable: as readings, or as a dead letter.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #packer: Packer;
  readonly #limit: InFlightLimit;
  #inFlight = 0;
  #draining = false;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#limit = new InFlightLimit(options.window);
    this.#packer = new Packer({
      linger: options.linger,
      fullAt: fullBlock,
      flush: (device, parcels) => this.#store(device, parcels),
    });
  }

  receive(message: Message): void {
    this.#inFlight += 1;
    this.#limit.received(this.#inFlight);
    const decoder = findDecoder(this.#options.decoders, message.topic);
    const receipt = new Receipt((outcome) => {
      this.#options.metrics.messageDone(decoder?.name ?? 'none', outcome, message.receivedAt);
      this.#limit.released(this.#inFlight);
      this.#inFlight -= 1;
      message.release();
    });
    this.#take(message, decoder, receipt);
    receipt.settle();
    if (this.#draining || this.#limit.reached(this.#packer.waiting)) this.#packer.flushAll();
  }

  /** Waits for nothing any more: what is being packed is written at once, and so is what still arrives. */
  drain(): void {
    this.#draining = true;
    this.#packer.flushAll();
  }

  /** Messages received and not yet durable. */
  inFlight(): number {
    return this.#inFlight;
  }

  #take(message: Message, decoder: Decoder | undefined, receipt: Receipt): void {
    try {
      if (decoder === undefined) throw new Rejection('no_decoder', 'no decoder takes this topic');
      const decoded = decodeMessage(decoder, message.topic, message.payload);
      const { readings, refusals } = this.#check(decoded, message.receivedAt);
      if (refusals.length > 0) this.#deadLetter(message, refusals, receipt);
      if (readings.length > 0) this.#pack(message, decoded, readings, receipt);
    } catch (error) {
      this.#deadLetter(message, [toRefusal(error)], receipt);
    }
  }

  #check(decoded: Decoded, receivedAt: number): { readings: Reading[]; refusals: Refusal[] } {
    const readings: Reading[] = [];
    const refusals: Refusal[] = [];
    for (const [index, draft] of decoded.drafts.entries()) {
      try {
        readings.push(checkReading(draft, receivedAt, this.#options.timeLimits));
      } catch (error) {
        refusals.push({ ...toRefusal(error), index });
      }
    }
    return { readings, refusals };
  }

  #pack(message: Message, decoded: Decoded, readings: Reading[], receipt: Receipt): void {
    receipt.hold();
    const parcel: Parcel = {
      readings,
      settle: () => receipt.settle(),
      refuse: (refused, detail) => {
        const indexes = refused.map((reading) => readings.indexOf(reading));
        const refusals = indexes.map((index) => ({
          reason: 'refused_by_table' as const,
          detail,
          index,
        }));
        this.#deadLetter(message, refusals, receipt);
      },
    };
    const known = this.#options.devices.find(decoded.device);
    if (known === undefined) {
      this.#admit(message, decoded, parcel, receipt);
    } else {
      this.#packer.add(known, parcel, decoded.gathered);
    }
  }

  #admit(message: Message, decoded: Decoded, parcel: Parcel, receipt: Receipt): void {
    const [first] = parcel.readings;
    if (first === undefined) return;
    this.#options.devices.admit(decoded.device, first).then(
      (device) => this.#packer.add(device, parcel, decoded.gathered || this.#draining),
      (error: unknown) => {
        if (error instanceof Rejection) {
          this.#deadLetter(message, [toRefusal(error)], receipt);
          parcel.settle();
        } else {
          this.#leave(error, 'a device could not be registered');
        }
      },
    );
  }

  #store(device: KnownDevice, parcels: readonly Parcel[]): void {
    this.#options.readings.store(device, parcels).catch((error: unknown) => {
      this.#leave(error, 'readings could not be stored');
    });
  }

  #deadLetter(message: Message, refusals: readonly Refusal[], receipt: Receipt): void {
    receipt.markDeadLettered();
    receipt.hold();
    this.#options.deadLetters.keep(message, refusals).then(
      () => receipt.settle(),
      (error: unknown) => this.#leave(error, 'a dead letter could not be kept'),
    );
  }

  /** What is not durable is not acknowledged, so the broker sends it again: to this process, or to the next. */
  #leave(error: unknown, what: string): void {
    // While closing it is what becomes of every message that is still on its way.
    this.#options.log[this.#draining ? 'debug' : 'warn'](
      { reason: (error as Error).message },
      what,
    );
  }
}

/** A decoder that fails in a way of its own refuses the message too: hostile input must not end the process. */
function toRefusal(error: unknown): Refusal {
  if (error instanceof Rejection) return { reason: error.reason, detail: error.message };
  return {
    reason: 'malformed',
    detail: `the payload cannot be decoded: ${(error as Error).message}`,
  };
}
