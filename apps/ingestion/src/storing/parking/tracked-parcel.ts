import type { Reading } from '@engawa/model';
import type { Span } from '@opentelemetry/api';
import type { KnownDevice } from '../../devices/device-register.ts';
import type { ParkedGroup } from './parked-group.ts';
import type { Parking } from './parking.ts';
import type { Parcel, QueuedParcel } from '../parcel.ts';

export interface TrackedParcelOptions {
  device: KnownDevice;
  /** On the monotonic clock, milliseconds. */
  since: number;
  owner: Pick<Parking, 'resolved' | 'refused' | 'failed'>;
  /** Whose sender waits; absent where the readings were parked before. */
  parcel?: Parcel;
  /** Of a parcel without a sender. */
  readings?: readonly Reading[];
}

/** A parcel that parking watches: its sender hears of the first copy that is durable. */
export class TrackedParcel implements QueuedParcel {
  readonly device: KnownDevice;
  readonly since: number;
  readonly readings: readonly Reading[];
  /** With which it is parked, or being parked. */
  group: ParkedGroup | undefined;
  /** Whose sender waits; it keeps the whole message, so it is let go once the sender has been told. */
  #parcel: Parcel | undefined;
  readonly #owner: TrackedParcelOptions['owner'];

  constructor({ device, since, owner, parcel, readings = [] }: TrackedParcelOptions) {
    this.device = device;
    this.since = since;
    this.readings = parcel?.readings ?? readings;
    this.#parcel = parcel;
    this.#owner = owner;
  }

  get span(): Span | undefined {
    return this.#parcel?.span;
  }

  get isParked(): boolean {
    return this.group?.isDurable === true;
  }

  get isSpilled(): boolean {
    return this.group?.isSpilled === true;
  }

  /** Tells the sender that the readings are durable. */
  release(): void {
    this.#parcel?.resolve();
    this.#parcel = undefined;
  }

  resolve(): void {
    this.#owner.resolved(this);
  }

  refuse(readings: readonly Reading[], detail: string): void {
    if (!this.#owner.refused(this, detail)) this.#parcel?.refuse(readings, detail);
  }

  fail(error: unknown): void {
    this.#owner.failed(this);
    if (!this.isParked) this.#parcel?.fail(error);
  }
}
