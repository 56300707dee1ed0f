import { randomUUID } from 'node:crypto';
import { correctionItem, deviceItem } from '@engawa/model';
import { aDevice } from '@engawa/testing';
import type { Correction, CorrectionCut, Device } from '@engawa/model';
import type { QueryFixture } from './query-fixture.ts';

export type Said = Pick<Correction, 'operation' | 'from'> & Partial<Correction>;

/** Corrects readings of one device as the registry does it: each correction with a new version on the device's item. */
export class Corrector {
  readonly #fixture: QueryFixture;
  readonly #device: Partial<Device> & { id: string };
  readonly #made: Correction[] = [];
  readonly #cuts: CorrectionCut[] = [];

  constructor(fixture: QueryFixture, device: Partial<Device> & { id: string }) {
    this.#fixture = fixture;
    this.#device = device;
  }

  /** @returns how it is undone */
  async make(said: Said): Promise<() => Promise<void>> {
    const sequence = this.#made.length + 1;
    const made: Correction = {
      ...{ device: this.#device.id, id: `correction ${sequence}`, sequence },
      ...{ to: said.from + 1, why: 'to see', madeAt: said.to ?? said.from + 1 },
      ...said,
    };
    this.#made.push(made);
    await this.#write(made);
    return () => this.#write({ ...made, undoneAt: 1 });
  }

  /** A move to another place, which cuts the corrections that are limited to stays. */
  async cut(at: number): Promise<void> {
    this.#cuts.push({ made: this.#made.length, at });
    await this.#writeDevice();
  }

  async #write(correction: Correction): Promise<void> {
    await this.#fixture.put(correctionItem(correction));
    await this.#writeDevice();
  }

  async #writeDevice(): Promise<void> {
    const state = { version: randomUUID(), made: this.#made.length };
    const corrections = { ...state, ...(this.#cuts.length > 0 && { cuts: this.#cuts }) };
    const device = aDevice({ ...this.#device, corrections });
    await this.#fixture.put(deviceItem(device, { list: 1, seen: 1 }));
  }
}
