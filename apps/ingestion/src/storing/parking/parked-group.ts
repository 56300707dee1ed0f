import type { Key } from '@engawa/keys';
import type { TrackedParcel } from './tracked-parcel.ts';

/** Parcels of one device that are parked together: their readings share blocks. */
export class ParkedGroup {
  /** Estimated bytes of heap. */
  readonly weight: number;
  /** Empty until it is durable. */
  keys: readonly Key[] = [];
  isDurable = false;
  /** It is left to the table, and will be read back. */
  isSpilled = false;
  /** The table refused a part of it, so the parked blocks stay. */
  hasRefusal = false;
  /** Those whose own key has not taken them yet. */
  readonly #open: Set<TrackedParcel>;

  constructor(parcels: readonly TrackedParcel[], weight: number) {
    this.weight = weight;
    this.#open = new Set(parcels);
    for (const parcel of parcels) parcel.group = this;
  }

  /** @returns the parcels that were waiting for it */
  becomeDurable(keys: readonly Key[]): TrackedParcel[] {
    this.keys = keys;
    this.isDurable = true;
    return [...this.#open];
  }

  remove(parcel: TrackedParcel): void {
    this.#open.delete(parcel);
  }

  /** It could not be parked. */
  dissolve(): void {
    for (const parcel of this.#open) parcel.group = undefined;
    this.#open.clear();
  }

  /** Whether the parked blocks are needed no more. */
  get isStored(): boolean {
    return this.isDurable && this.#open.size === 0;
  }
}
