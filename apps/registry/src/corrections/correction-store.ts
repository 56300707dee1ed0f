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
import { absent, allOf, ConditionFailed, equal, pageKeyOf, present } from '@engawa/table';
import { contested, deviceNotFound, mostAttempts } from '../placements/contest.ts';
import { isRevision } from '../revision.ts';
import type { Expected, Revision } from '@engawa/http';
import type { Correction, CorrectionState, Device } from '@engawa/model';
import type { ItemPage, Table, Update } from '@engawa/table';
import type { Revised } from '../revision.ts';
import type { AskedCorrection } from './asked-correction.ts';

/** Readers keep all that a device has: a page of a Query or some. */
const maxCorrections = 1000;

export interface CorrectionsPage {
  corrections: Correction[];
  /** The id behind which the next page begins; absent where there is none. */
  after: string | undefined;
  units: number;
}

/**
 * The corrections of devices. Each write is one transaction with the device's item, which counts them: so corrections of a
 * device have one order, and none is made for a device that is being deleted (docs/adr/0048).
 */
export class CorrectionStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * @returns the correction as it is, and whether it is new: what was made before by the same request is given again
   * @throws Problem `device-not-found`, `correction-not-found`, `correction-exists`, `already-exists`, `version-mismatch`,
   * `too-many-corrections`
   */
  async make(
    asked: AskedCorrection,
    expected?: Expected<Revision>,
  ): Promise<{ correction: Correction; created: boolean }> {
    const { device: id } = asked;
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
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
      if (await this.#tryBoth([put, state])) return { correction, created: true };
    }
    throw contested(id);
  }

  /** Undoes it, unless somebody has. @throws Problem `device-not-found`, `correction-not-found`, `version-mismatch` */
  async undo(
    { device: id, id: correction, by }: Pick<Correction, 'device' | 'id' | 'by'>,
    expected?: Revision,
  ): Promise<void> {
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
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
      if (await this.#tryBoth([update, state])) return;
    }
    throw contested(id);
  }

  /** One GetItem. @throws Problem `correction-not-found` */
  async get(device: string, id: string): Promise<Correction> {
    const known = await this.#find({ device, id });
    if (known === undefined) throw correctionNotFound(id);
    return known;
  }

  /** In the order of their ids, undone ones included: one Query a page. */
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

  /** @returns false where somebody else has changed one of them since it was read */
  async #tryBoth(writes: Parameters<Table['transact']>[0]): Promise<boolean> {
    try {
      await this.#table.transact(writes);
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }
}

/** Tells readers to read the corrections again. Its version is no part of the device's, which shows none of it. */
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

/** For its ETag: a correction changes once in its life. The next device of that id may have one of the same id. */
export function revisedOf({ undoneAt, madeAt }: Correction): Revised {
  return { version: undoneAt === undefined ? 1 : 2, registeredAt: madeAt };
}

function expectVersion(
  known: Correction | undefined,
  id: string,
  expected: Expected<Revision>,
): void {
  if (expected === undefined) return;
  if (expected === 'absent') {
    if (known === undefined) return;
    throw new Problem('already-exists', `There is a correction ${JSON.stringify(id)} already.`);
  }
  if (known === undefined) throw correctionNotFound(id);
  const revised = revisedOf(known);
  if (expected === 'present' || isRevision(revised, expected)) return;
  const message = `The correction ${JSON.stringify(id)} has version ${revised.version} by now.`;
  throw new Problem('version-mismatch', message);
}

export function correctionNotFound(id: string): Problem {
  return new Problem('correction-not-found', `There is no correction ${JSON.stringify(id)}.`);
}

function exists({ id, undoneAt }: Correction): Problem {
  const how = undoneAt === undefined ? 'Another correction' : 'A correction that was undone';
  return new Problem('correction-exists', `${how} has the id ${JSON.stringify(id)}.`);
}

function tooMany(device: string): Problem {
  const message = `The device ${JSON.stringify(device)} has ${maxCorrections} corrections.`;
  return new Problem('too-many-corrections', message);
}
