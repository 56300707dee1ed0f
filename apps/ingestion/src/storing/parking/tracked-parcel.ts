import type { Reading } from '@engawa/model';
import type { Span } from '@opentelemetry/api';
import type { KnownDevice } from '../../devices/device-register.ts';
import type { ParkedGroup } from './parked-group.ts';
import type { Parking } from './parking.ts';
import type { Parcel, QueuedParcel } from '../parcel.ts';

export interface TrackedParcelOptions {
  device: KnownDevice;
  /** When the parcel was handed to the table: monotonic milliseconds. */
  since: number;
  owner: Pick<Parking, 'resolved' | 'refused' | 'failed'>;
  /** The parcel whose sender waits; absent if the readings were parked before. */
  parcel?: Parcel;
  /** Readings of a parcel without a sender. */
  readings?: readonly Reading[];
}

/** A parcel that parking watches. Its sender is told of the first durable copy. */
export class TrackedParcel implements QueuedParcel {
  readonly device: KnownDevice;
  readonly since: number;
  readonly readings: readonly Reading[];
  /** The group that the parcel is parked with. */
  group: ParkedGroup | undefined;
  /** The parcel whose sender waits. It holds the whole message, so it is released once the sender has been told. */
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
