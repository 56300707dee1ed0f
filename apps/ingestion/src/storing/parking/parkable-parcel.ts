import type { Key } from '@engawa/keys';
import type { Reading } from '@engawa/model';
import type { Span } from '@opentelemetry/api';
import type { KnownDevice } from '../../devices/device-register.ts';
import type { Parcel, QueuedParcel } from '../parcel.ts';

/** Receives the end of a parcel. */
interface ParcelOwner {
  resolved(parcel: ParkableParcel): void;
  /** @returns whether the sender is not to be told, because the parcel is parked */
  refused(parcel: ParkableParcel, detail: string): boolean;
  failed(parcel: ParkableParcel): void;
}

export interface ParkableParcelOptions {
  device: KnownDevice;
  /** When the parcel was handed to the table: monotonic milliseconds. */
  since: number;
  owner: ParcelOwner;
  received: Pick<Parcel, 'readings' | 'receivedAt' | 'isReplayed'>;
  /** The parcel whose sender waits; absent if the readings were parked before. */
  parcel?: Parcel;
}

/** A parcel that parking watches. Its sender is notified of the first durable copy. */
export class ParkableParcel implements QueuedParcel {
  readonly device: KnownDevice;
  readonly since: number;
  readonly readings: readonly Reading[];
  readonly receivedAt: number;
  readonly isReplayed: boolean;
  /** The group that the parcel is parked with. */
  group: ParkedGroup | undefined;
  /** The parcel whose sender waits. It holds the whole message, so it is released once the sender has been told. */
  #parcel: Parcel | undefined;
  readonly #owner: ParcelOwner;

  constructor({ device, since, owner, received, parcel }: ParkableParcelOptions) {
    this.device = device;
    this.since = since;
    this.readings = received.readings;
    this.receivedAt = received.receivedAt;
    this.isReplayed = received.isReplayed ?? false;
    this.#parcel = parcel;
    this.#owner = owner;
  }

  get traceSpan(): Span | undefined {
    return this.#parcel?.traceSpan;
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

/** Parcels of one device that are parked together: their readings share blocks. */
export class ParkedGroup {
  /** Estimated bytes of heap. */
  readonly weight: number;
  /** Keys of the parked blocks; empty until they are durable. */
  keys: readonly Key[] = [];
  isDurable = false;
  /** The group is not held in memory: it will be read back from the table. */
  isSpilled = false;
  /** The table rejected a reading of the group, so its parked blocks stay. */
  hasRefusal = false;
  /** Parcels that are not stored at their device yet. */
  readonly #open: Set<ParkableParcel>;

  constructor(parcels: readonly ParkableParcel[], weight: number) {
    this.weight = weight;
    this.#open = new Set(parcels);
    for (const parcel of parcels) parcel.group = this;
  }

  /** @returns the parcels that are durable now */
  becomeDurable(keys: readonly Key[]): ParkableParcel[] {
    this.keys = keys;
    this.isDurable = true;
    return [...this.#open];
  }

  remove(parcel: ParkableParcel): void {
    this.#open.delete(parcel);
  }

  /** Parking failed: the parcels can be parked again. */
  dissolve(): void {
    for (const parcel of this.#open) parcel.group = undefined;
    this.#open.clear();
  }

  /** Whether the parked blocks can be deleted. */
  get isStored(): boolean {
    return this.isDurable && this.#open.size === 0;
  }
}
