import { checkReading } from './check-reading.ts';
import { Packer } from './packer.ts';
import { toRefusal } from './refusal.ts';
import { Rejection } from './rejection.ts';
import { WriterClosed } from '@engawa/table';
import type { DeviceKind, Reading } from '@engawa/model';
import type { TimeLimits } from './check-reading.ts';
import type { Draft } from './decoders/decoder.ts';
import type { DeviceRegister, KnownDevice } from './device-register.ts';
import type { Parcel } from './parking/parcel.ts';
import type { Refusal, Verdict } from './refusal.ts';

/** Single readings of a minute-by-minute device that fit a block; more gains nothing. */
const fullBlock = 60;

/** Readings of one device that came together, over whatever they came. */
export interface Delivery {
  device: string;
  drafts: readonly Draft[];
  /** Epoch milliseconds: the time of readings that have none of their own. */
  receivedAt: number;
  /** Whether the sender already gathered them, so that waiting for more would gain nothing. */
  gathered: boolean;
}

export interface IntakeOptions {
  devices: DeviceRegister;
  /** Takes packed parcels on to the table; each of them hears of its end. */
  store: (device: KnownDevice, parcels: readonly Parcel[]) => void;
  /** Whether one of its keys is hot. */
  isHot: (device: KnownDevice) => boolean;
  timeLimits: TimeLimits;
  /** Milliseconds that single readings of a kind of device may wait to share a block. */
  linger: (kind: DeviceKind) => number;
}

/** check → admit → pack → (wait) → write → project: the way of every reading, be it of MQTT, of HTTP or of a dead letter. */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #packer: Packer;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#packer = new Packer({
      linger: options.linger,
      isHot: options.isHot,
      fullAt: fullBlock,
      flush: options.store,
    });
  }

  /** Deliveries that wait for others to share a block. */
  get waiting(): number {
    return this.#packer.waiting;
  }

  /** Packs what waits, now. */
  flush(): void {
    this.#packer.flushAll();
  }

  /** Waits for nothing any more: what is being packed is written at once, and so is what still arrives. */
  drain(): void {
    this.#packer.drain();
  }

  /**
   * Resolves once each reading is durable or refused; readings of a known device wait to be packed when this returns.
   * Rejects when the service closes first, and it is not known what became of them.
   */
  async take(delivery: Delivery): Promise<Verdict> {
    const { readings, refusals } = this.#check(delivery);
    const [first] = readings.keys();
    if (first === undefined) return { stored: 0, refusals };
    const device =
      this.#options.devices.find(delivery.device) ?? (await this.#admit(delivery.device, first));
    const refused =
      device instanceof Rejection
        ? Array.from(readings.values(), (index) => ({ ...toRefusal(device), index }))
        : await this.#pack(device, readings, delivery);
    return {
      stored: readings.size - refused.length,
      refusals: [...refusals, ...refused].sort((a, b) => (a.index ?? 0) - (b.index ?? 0)),
    };
  }

  /** The good ones, each with its index in the delivery. */
  #check({ drafts, receivedAt }: Delivery): {
    readings: Map<Reading, number>;
    refusals: Refusal[];
  } {
    const readings = new Map<Reading, number>();
    const refusals: Refusal[] = [];
    for (const [index, draft] of drafts.entries()) {
      try {
        readings.set(checkReading(draft, receivedAt, this.#options.timeLimits), index);
      } catch (error) {
        refusals.push({ ...toRefusal(error), index });
      }
    }
    return { readings, refusals };
  }

  async #admit(device: string, first: Reading): Promise<KnownDevice | Rejection> {
    try {
      return await this.#options.devices.admit(device, first);
    } catch (error) {
      if (error instanceof Rejection) return error;
      throw error;
    }
  }

  #pack(
    device: KnownDevice,
    readings: ReadonlyMap<Reading, number>,
    { gathered }: Delivery,
  ): Promise<Refusal[]> {
    const parcel = new PendingParcel(readings);
    this.#packer.add(device, parcel, gathered);
    return parcel.outcome;
  }
}

/** A parcel whose sender waits for what becomes of it. */
class PendingParcel implements Parcel {
  readonly readings: readonly Reading[];
  /** What the table refused of it. */
  readonly outcome: Promise<Refusal[]>;
  readonly fail: (error: unknown) => void;
  readonly #indexes: ReadonlyMap<Reading, number>;
  readonly #refused: Refusal[] = [];
  readonly #settled = Promise.withResolvers<Refusal[]>();

  /** @param indexes the readings, each with its index in the delivery */
  constructor(indexes: ReadonlyMap<Reading, number>) {
    this.readings = [...indexes.keys()];
    this.#indexes = indexes;
    this.outcome = this.#settled.promise;
    this.fail = this.#settled.reject;
  }

  settle(): void {
    this.#settled.resolve(this.#refused);
  }

  refuse(readings: readonly Reading[], detail: string): void {
    for (const reading of readings) {
      const index = this.#indexes.get(reading);
      this.#refused.push({
        reason: 'refused_by_table',
        detail,
        ...(index !== undefined && { index }),
      });
    }
  }
}
