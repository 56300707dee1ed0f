import type { Key } from '@engawa/keys';
import type { TrackedParcel } from './tracked-parcel.ts';

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
  readonly #open: Set<TrackedParcel>;

  constructor(parcels: readonly TrackedParcel[], weight: number) {
    this.weight = weight;
    this.#open = new Set(parcels);
    for (const parcel of parcels) parcel.group = this;
  }

  /** @returns the parcels that are durable now */
  becomeDurable(keys: readonly Key[]): TrackedParcel[] {
    this.keys = keys;
    this.isDurable = true;
    return [...this.#open];
  }

  remove(parcel: TrackedParcel): void {
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
