import { Problem } from '@engawa/errors';
import { correctionPrefix, deviceKey, devicePartition } from '@engawa/keys';
import {
  correctionItem,
  correctionRowKeyOf,
  correctionStateDocument,
  noCorrectionRows,
  parseCorrection,
  withCorrectionRow,
} from '@engawa/model';
import { allOf, equal, maxTransactionWrites, present, queryAll } from '@engawa/table';
import type { Correction, CorrectionRows, CorrectionState, Device } from '@engawa/model';
import type { Put, Table } from '@engawa/table';

/** Corrections of a device that query reads all at once, without rows. */
const maxWithoutRows = 100;

/** Maximum corrections and replacement readings of a device, which bounds what one request may have to read. */
const maxWeight = 100_000;

/** Copies of corrections by their time, of devices with many of them (docs/adr/0124). */
export class CorrectionRowStore {
  readonly #table: Table;
  /** By the version of the corrections: requests at the same time share the writes. */
  readonly #writing = new Map<string, Promise<CorrectionRows>>();

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * The rows of a device with a further correction; undefined while it has few corrections. The first correction beyond
   * these, also of a device whose corrections an earlier release made, writes the rows of all earlier ones.
   * @throws Problem `too-many-corrections`
   * @throws ConditionFailed where the corrections have changed meanwhile
   */
  async with({ id, corrections }: Device, made: Correction): Promise<CorrectionRows | undefined> {
    if (corrections === undefined || made.sequence <= maxWithoutRows) return undefined;
    const known = corrections.rows ?? (await this.#writeOnce(id, corrections));
    const rows = withCorrectionRow(known, made);
    if (rows.weight > maxWeight) throw tooMany(id);
    return rows;
  }

  #writeOnce(id: string, state: CorrectionState): Promise<CorrectionRows> {
    const key = JSON.stringify([id, state.version]);
    const known = this.#writing.get(key);
    if (known !== undefined) return known;
    const writing = this.#write(id, state).finally(() => this.#writing.delete(key));
    this.#writing.set(key, writing);
    return writing;
  }

  /**
   * Rows count once the device's item has their number. Until then each transaction with some of them requires the
   * known state, so none is older than a later undo.
   */
  async #write(id: string, state: CorrectionState): Promise<CorrectionRows> {
    const sk = { beginsWith: correctionPrefix };
    const request = { pk: devicePartition(id), sk, consistent: true };
    const made = (await queryAll(this.#table, request)).map(parseCorrection);
    const isUnchanged = {
      check: deviceKey(id),
      onlyIf: allOf(present('version'), equal('corrections', correctionStateDocument(state))),
    };
    for (let start = 0; start < made.length; start += maxTransactionWrites - 1) {
      const some = made.slice(start, start + maxTransactionWrites - 1);
      await this.#table.transact([isUnchanged, ...some.map(putRow)]);
    }
    return made.reduce(withCorrectionRow, noCorrectionRows);
  }
}

export function putRow(correction: Correction): Put {
  return { put: { ...correctionItem(correction), ...correctionRowKeyOf(correction) } };
}

function tooMany(device: string): Problem {
  const message = `The device ${JSON.stringify(device)} has the maximum of ${maxWeight} corrections and replacement readings.`;
  return new Problem('too-many-corrections', message);
}
