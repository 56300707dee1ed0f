import { correctionPrefix, devicePartition } from '@engawa/keys';
import { parseCorrection } from '@engawa/model';
import { queryPages } from '@engawa/table';
import { LRUCache } from 'lru-cache';
import { Corrections } from './corrections.ts';
import type { RequestBudget } from '@engawa/http';
import type { Correction, CorrectionState, Device } from '@engawa/model';
import type { Table } from '@engawa/table';

interface CachedCorrections {
  version: string;
  corrections: Promise<Corrections>;
}

export type CorrectedDevice = Pick<Device, 'id' | 'corrections'>;

/** Corrections and replacement readings in the cache: some tens of megabytes. */
const maxCached = 100_000;

/**
 * The corrections of devices. A device without corrections costs nothing. Those of others are read
 * once per version that the device's item names, so the cache is never older than the item.
 */
export class CorrectionStore {
  readonly #table: Pick<Table, 'query'>;
  readonly #cache = new LRUCache<string, CachedCorrections>({ maxSize: maxCached });

  constructor(table: Pick<Table, 'query'>) {
    this.#table = table;
  }

  async of(device: CorrectedDevice, budget: Pick<RequestBudget, 'charge'>): Promise<Corrections> {
    const { id, corrections: state } = device;
    if (state === undefined) return Corrections.none;
    const cached = this.#cache.get(id);
    if (cached?.version === state.version) return cached.corrections;
    const loading = { version: state.version, corrections: this.#load(id, state, budget) };
    this.#cache.set(id, loading, { size: 1 });
    try {
      const corrections = await loading.corrections;
      if (this.#cache.peek(id) === loading) {
        this.#cache.delete(id); // a set of the same value does not change its size
        this.#cache.set(id, loading, { size: corrections.weight });
      }
      return corrections;
    } catch (error) {
      if (this.#cache.peek(id) === loading) this.#cache.delete(id);
      throw error;
    }
  }

  /**
   * Consistent, so that no correction is missing that was made before the item got this version.
   * Not cancelled with the request, since others may wait for the same corrections.
   */
  async #load(
    id: string,
    state: CorrectionState,
    budget: Pick<RequestBudget, 'charge'>,
  ): Promise<Corrections> {
    const found: Correction[] = [];
    const sk = { beginsWith: correctionPrefix };
    const request = { pk: devicePartition(id), sk, consistent: true };
    for await (const page of queryPages(this.#table, request)) {
      budget.charge(page.units);
      found.push(...page.items.map(parseCorrection));
    }
    return new Corrections(found, state);
  }
}
