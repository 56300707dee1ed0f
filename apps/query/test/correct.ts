import { randomUUID } from 'node:crypto';
import {
  correctionItem,
  correctionRowKeyOf,
  deviceItem,
  noCorrectionRows,
  withCorrectionRow,
} from '@engawa/model';
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
  readonly #hasRows: boolean;

  /** @param options whether the device has rows of its corrections, as a device with many of them */
  constructor(
    fixture: QueryFixture,
    device: Partial<Device> & { id: string },
    { hasRows = false } = {},
  ) {
    this.#fixture = fixture;
    this.#device = device;
    this.#hasRows = hasRows;
  }

  /** Many corrections, with one version. */
  async makeAll(all: readonly Said[]): Promise<void> {
    for (const said of all) this.#add(said);
    await this.#fixture.putAll(this.#made.flatMap((made) => this.#itemsOf(made)));
    await this.#writeDevice();
  }

  /** @returns how it is undone */
  async make(said: Said): Promise<() => Promise<void>> {
    const made = this.#add(said);
    await this.#write(made);
    return () => this.#write({ ...made, undoneAt: 1 });
  }

  #add(said: Said): Correction {
    const sequence = this.#made.length + 1;
    const made: Correction = {
      ...{ device: this.#device.id, id: `correction ${sequence}`, sequence },
      ...{ to: said.from + 1, why: 'to see', madeAt: said.to ?? said.from + 1 },
      ...said,
    };
    this.#made.push(made);
    return made;
  }

  #itemsOf(correction: Correction): object[] {
    const item = correctionItem(correction);
    return this.#hasRows ? [item, { ...item, ...correctionRowKeyOf(correction) }] : [item];
  }

  /** A move to another place, which cuts the corrections that are limited to stays. */
  async cut(at: number): Promise<void> {
    this.#cuts.push({ made: this.#made.length, at });
    await this.#writeDevice();
  }

  async #write(correction: Correction): Promise<void> {
    await this.#fixture.putAll(this.#itemsOf(correction));
    await this.#writeDevice();
  }

  async #writeDevice(): Promise<void> {
    const state = { version: randomUUID(), made: this.#made.length };
    const corrections = {
      ...state,
      ...(this.#cuts.length > 0 && { cuts: this.#cuts }),
      ...(this.#hasRows && { rows: this.#made.reduce(withCorrectionRow, noCorrectionRows) }),
    };
    const device = aDevice({ ...this.#device, corrections });
    await this.#fixture.put(deviceItem(device, { list: 1, seen: 1 }));
  }
}
