import { correctionPrefix, devicePartition } from '@engawa/keys';
import { parseCorrection } from '@engawa/model';
import { Corrections } from './corrections.ts';
import type { Budget } from '@engawa/http';
import type { Correction, Device } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';

interface Known {
  version: string;
  corrections: Promise<Corrections>;
  weight: number;
}

export type CorrectedDevice = Pick<Device, 'id' | 'corrections'>;

/** Corrections and replacement readings kept at most: some tens of megabytes. */
const maxKept = 100_000;

/**
 * The corrections of devices. A device without any costs nothing. Of others they are read once for each version that the
 * device's item has, so what is here is never older than the item.
 */
export class CorrectionStore {
  readonly #table: Pick<Table, 'query'>;
  /** By device; the one that was not needed for longest comes first. */
  readonly #known = new Map<string, Known>();
  #kept = 0;

  constructor(table: Pick<Table, 'query'>) {
    this.#table = table;
  }

  async of(device: CorrectedDevice, budget: Pick<Budget, 'charge'>): Promise<Corrections> {
    const { id, corrections: state } = device;
    if (state === undefined) return Corrections.none;
    const known = this.#known.get(id);
    if (known?.version === state.version) {
      this.#known.delete(id);
      this.#known.set(id, known);
      return known.corrections;
    }
    const loading = { version: state.version, corrections: this.#load(id, budget), weight: 0 };
    this.#keep(id, loading);
    try {
      const corrections = await loading.corrections;
      if (this.#known.get(id) === loading) this.#weigh(loading, corrections.weight);
      return corrections;
    } catch (error) {
      if (this.#known.get(id) === loading) this.#forget(id);
      throw error;
    }
  }

  /** Consistent: none is missing that was made before the item got this version. Not cancelled: others may wait for it. */
  async #load(id: string, budget: Pick<Budget, 'charge'>): Promise<Corrections> {
    const found: Correction[] = [];
    let after: PageKey | undefined;
    do {
      const page = await this.#table.query({
        pk: devicePartition(id),
        sk: { beginsWith: correctionPrefix },
        consistent: true,
        ...(after && { after }),
      });
      budget.charge(page.units);
      found.push(...page.items.map(parseCorrection));
      after = page.next;
    } while (after !== undefined);
    return new Corrections(found);
  }

  #keep(id: string, known: Known): void {
    this.#forget(id);
    this.#known.set(id, known);
  }

  #weigh(known: Known, weight: number): void {
    known.weight = weight;
    this.#kept += weight;
    for (const [id, oldest] of this.#known) {
      if (this.#kept <= maxKept || oldest === known) return;
      this.#forget(id);
    }
  }

  #forget(id: string): void {
    this.#kept -= this.#known.get(id)?.weight ?? 0;
    this.#known.delete(id);
  }
}
