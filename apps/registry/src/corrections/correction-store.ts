import { randomUUID } from 'node:crypto';
import { Problem } from '@engawa/errors';
import { correctionKey, correctionPrefix, deviceKey, devicePartition } from '@engawa/keys';
import {
  correctionItem,
  isSameCorrection,
  parseCorrection,
  parseDevice,
  unlessDeleted,
} from '@engawa/model';
import { absent, allOf, equal, pageKeyOf, present, retryOnConflict } from '@engawa/table';
import { deviceNotFound, deviceTitle } from '../problems.ts';
import { isRevision } from '../revision.ts';
import type { ExpectedState, Revision } from '@engawa/http';
import type { Correction, CorrectionState, Device } from '@engawa/model';
import type { ItemPage, Table, Update } from '@engawa/table';
import type { VersionedItem } from '../revision.ts';
import type { RequestedCorrection } from './requested-correction.ts';

/** Maximum corrections of a device: query caches all of them, which are a few pages of a Query. */
const maxCorrections = 1000;

export interface CorrectionsPage {
  corrections: Correction[];
  /** The last id of this page; absent on the last page. */
  after: string | undefined;
  units: number;
}

/**
 * The corrections of devices. Each write is a transaction with the device's item, which counts
 * them. So the corrections of a device have one order, and none is created for a device that is
 * being deleted (docs/adr/0048).
 */
export class CorrectionStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Idempotent: repeating the request returns the existing correction.
   * @returns the correction, and whether it is new
   * @throws Problem `device-not-found`, `correction-not-found`, `correction-exists`,
   * `already-exists`, `version-mismatch`, `too-many-corrections`, `too-many-conflicts`
   */
  async make(
    asked: RequestedCorrection,
    expected?: ExpectedState<Revision>,
  ): Promise<{ correction: Correction; created: boolean }> {
    const { device: id } = asked;
    return retryOnConflict({ resource: deviceTitle(id) }, async () => {
      const [device, known] = await Promise.all([this.#device(id), this.#find(asked)]);
      const correction = { ...asked, sequence: (device.corrections?.made ?? 0) + 1 };
      expectVersion(known, asked.id, expected);
      if (known !== undefined) {
        const isMade = known.undoneAt === undefined && isSameCorrection(known, correction);
        if (isMade) return { correction: known, created: false };
        throw exists(known);
      }
      if (correction.sequence > maxCorrections) throw tooMany(id);
      const put = { put: correctionItem(correction), onlyIf: absent('pk') };
      const state = nextState(device, correction.sequence);
      await this.#table.transact([put, state]);
      return { correction, created: true };
    });
  }

  /**
   * Undoes a correction; idempotent.
   * @throws Problem `device-not-found`, `correction-not-found`, `version-mismatch`, `too-many-conflicts`
   */
  async undo(
    { device: id, id: correction, by }: Pick<Correction, 'device' | 'id' | 'by'>,
    expected?: Revision,
  ): Promise<void> {
    return retryOnConflict({ resource: deviceTitle(id) }, async () => {
      const [device, known] = await Promise.all([
        this.#device(id),
        this.#find({ device: id, id: correction }),
      ]);
      if (known === undefined) throw correctionNotFound(correction);
      expectVersion(known, correction, expected);
      if (known.undoneAt !== undefined) return;
      const update = {
        update: correctionKey(id, correction),
        set: { undoneAt: Date.now(), ...(by !== undefined && { undoneBy: by }) },
        onlyIf: allOf(present('pk'), absent('undoneAt')),
      };
      const state = nextState(device, device.corrections?.made ?? 0);
      await this.#table.transact([update, state]);
    });
  }

  /** One GetItem. @throws Problem `correction-not-found` */
  async get(device: string, id: string): Promise<Correction> {
    const known = await this.#find({ device, id });
    if (known === undefined) throw correctionNotFound(id);
    return known;
  }

  /** Sorted by id, including undone corrections: one Query per page. */
  async list(
    device: string,
    { limit, after, signal }: { limit: number; after: string | undefined; signal: AbortSignal },
  ): Promise<CorrectionsPage> {
    const page: ItemPage = await this.#table.query({
      pk: devicePartition(device),
      sk: { beginsWith: correctionPrefix },
      limit,
      ...(after !== undefined && { after: pageKeyOf({ ...correctionKey(device, after) }) }),
      consistent: true,
      signal,
    });
    const corrections = page.items.map(parseCorrection);
    const last = page.next === undefined ? undefined : corrections.at(-1)?.id;
    return { corrections, after: last, units: page.units };
  }

  async #device(id: string): Promise<Device> {
    const item = unlessDeleted(await this.#table.get(deviceKey(id), { consistent: true }));
    if (item === undefined) throw deviceNotFound(id);
    return parseDevice(item);
  }

  async #find({ device, id }: Pick<Correction, 'device' | 'id'>): Promise<Correction | undefined> {
    const item = await this.#table.get(correctionKey(device, id), { consistent: true });
    return item && parseCorrection(item);
  }
}

/**
 * A new version of the corrections, which makes query read them again. Independent of the version
 * of the device, whose representation has no corrections.
 */
function nextState({ id, corrections: known }: Device, made: number): Update {
  const state: CorrectionState = { version: randomUUID(), made };
  return {
    update: deviceKey(id),
    set: { corrections: { ...state } },
    onlyIf: allOf(
      present('version'),
      known === undefined ? absent('corrections') : equal('corrections', { ...known }),
    ),
  };
}

/**
 * For the ETag: a correction changes once, when it is undone. Another device of the same id may
 * have a correction of the same id.
 */
export function revisedOf({ undoneAt, madeAt }: Correction): VersionedItem {
  return { version: undoneAt === undefined ? 1 : 2, registeredAt: madeAt };
}

function expectVersion(
  known: Correction | undefined,
  id: string,
  expected: ExpectedState<Revision>,
): void {
  if (expected === undefined) return;
  if (expected === 'absent') {
    if (known === undefined) return;
    throw new Problem('already-exists', `The correction ${JSON.stringify(id)} exists already.`);
  }
  if (known === undefined) throw correctionNotFound(id);
  const revised = revisedOf(known);
  if (expected === 'present' || isRevision(revised, expected)) return;
  const message = `The correction ${JSON.stringify(id)} has version ${revised.version} now.`;
  throw new Problem('version-mismatch', message);
}

export function correctionNotFound(id: string): Problem {
  return new Problem('correction-not-found', `There is no correction ${JSON.stringify(id)}.`);
}

function exists({ id, undoneAt }: Correction): Problem {
  const how = undoneAt === undefined ? 'Another correction' : 'An undone correction';
  return new Problem('correction-exists', `${how} has the id ${JSON.stringify(id)}.`);
}

function tooMany(device: string): Problem {
  const message = `The device ${JSON.stringify(device)} has the maximum of ${maxCorrections} corrections.`;
  return new Problem('too-many-corrections', message);
}
