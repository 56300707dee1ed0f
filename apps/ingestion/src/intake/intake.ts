import { checkReading } from './check-reading.ts';
import { Packer } from '../storing/packer.ts';
import { countRefusals, RefusalList, toRefusal } from '../refusals/refusal.ts';
import { Rejection } from '../refusals/rejection.ts';
import type { DeviceKind, Reading, Steps } from '@engawa/model';
import type { Span } from '@opentelemetry/api';
import type { TimeLimits } from './check-reading.ts';
import type { Draft } from '../decoders/decoder.ts';
import type { DeviceRegister, KnownDevice } from '../devices/device-register.ts';
import type { Parcel } from '../storing/parcel.ts';
import type { Refusal, Verdict } from '../refusals/refusal.ts';
import type { WorkSlicer } from '../concurrency/work-slicer.ts';

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
  /** Of the message or request that brought them. */
  span?: Span | undefined;
  /** Told of the good ones before anything is made of them. @throws Rejection when they are too much: then all are refused */
  weigh?: (readings: readonly Reading[]) => void;
  /** Told when its readings begin to be packed: at once, or once their device has been read or registered. */
  packing?: () => void;
}

/** What of a delivery is known once its drafts are checked, and they are let go. */
type Sender = Omit<Delivery, 'drafts' | 'receivedAt'>;

/** The good readings, each with its index in the delivery, and why the others are none. */
interface Checked {
  readings: Reading[];
  indexes: number[];
  refusals: RefusalList;
}

export interface IntakeOptions {
  devices: DeviceRegister;
  /** Takes packed parcels on to the table; each of them hears of its end. */
  store: (device: KnownDevice, parcels: readonly Parcel[]) => void;
  /** Whether one of its keys is hot. */
  isHot: (device: KnownDevice) => boolean;
  timeLimits: TimeLimits;
  /** Does what is too much for one turn of the event loop. */
  slicer: WorkSlicer;
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
   * Resolves once each reading is durable or refused; readings of a known device wait to be packed when this returns, unless
   * there are so many that checking them takes several turns of the event loop. Rejects when the service closes first, and it
   * is not known what became of them.
   */
  take({ drafts, receivedAt, ...sender }: Delivery): Promise<Verdict> {
    // No async function, which would keep the drafts until the readings are stored.
    const checked = this.#options.slicer.run(this.#check(drafts, receivedAt));
    return checked instanceof Promise
      ? checked.then((result) => this.#takeChecked(result, sender))
      : this.#takeChecked(checked, sender);
  }

  async #takeChecked({ readings, indexes, refusals }: Checked, sender: Sender): Promise<Verdict> {
    const [first] = readings;
    if (first === undefined) return { stored: 0, refusals: refusals.all };
    try {
      sender.weigh?.(readings);
    } catch (error) {
      return { stored: 0, refusals: [toRefusal(error)] };
    }
    const device =
      this.#options.devices.find(sender.device) ?? (await this.#admit(sender.device, first));
    const count = readings.length;
    const refused =
      device instanceof Rejection
        ? refuseAll(indexes, toRefusal(device))
        : await this.#pack(device, new PendingParcel(readings, indexes, sender.span), sender);
    const all = [...refusals.all, ...refused];
    return {
      stored: count - countRefusals(refused),
      refusals: all.sort((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity) || 0),
    };
  }

  *#check(drafts: readonly Draft[], receivedAt: number): Steps<Checked> {
    const checked: Checked = { readings: [], indexes: [], refusals: new RefusalList() };
    for (const [index, draft] of drafts.entries()) {
      let cost = 2;
      try {
        const reading = checkReading(draft, receivedAt, this.#options.timeLimits);
        checked.readings.push(reading);
        checked.indexes.push(index);
        cost += 2 * Object.keys(reading.fields).length;
      } catch (error) {
        checked.refusals.add({ ...toRefusal(error), index });
      }
      yield cost;
    }
    return checked;
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
    parcel: PendingParcel,
    { gathered, packing }: Pick<Sender, 'gathered' | 'packing'>,
  ): Promise<Refusal[]> {
    this.#packer.add(device, parcel, gathered);
    packing?.();
    return parcel.outcome;
  }
}

function refuseAll(indexes: readonly number[], refusal: Refusal): Refusal[] {
  const refusals = new RefusalList();
  for (const index of indexes) refusals.add({ ...refusal, index });
  return refusals.all;
}

/** A parcel whose sender waits for what becomes of it. */
class PendingParcel implements Parcel {
  readonly readings: readonly Reading[];
  readonly span: Span | undefined;
  /** What the table refused of it. */
  readonly outcome: Promise<Refusal[]>;
  readonly fail: (error: unknown) => void;
  readonly #indexes: readonly number[];
  readonly #refused = new RefusalList();
  readonly #settled = Promise.withResolvers<Refusal[]>();

  /** @param indexes of each of the readings, its place in the delivery */
  constructor(readings: readonly Reading[], indexes: readonly number[], span: Span | undefined) {
    this.readings = readings;
    this.span = span;
    this.#indexes = indexes;
    this.outcome = this.#settled.promise;
    this.fail = this.#settled.reject;
  }

  settle(): void {
    this.#settled.resolve(this.#refused.all);
  }

  refuse(readings: readonly Reading[], detail: string): void {
    const refused = new Set(readings);
    for (const [at, reading] of this.readings.entries()) {
      const index = this.#indexes[at];
      if (index === undefined || !refused.has(reading)) continue;
      this.#refused.add({ reason: 'refused_by_table', detail, index });
    }
  }
}
