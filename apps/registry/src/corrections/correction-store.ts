import { randomUUID } from 'node:crypto';
import { Problem } from '@engawa/errors';
import { correctionKey, correctionPrefix, deviceKey, devicePartition } from '@engawa/keys';
import {
  correctionItem,
  correctionRowKeyOf,
  correctionStateDocument,
  isSameCorrection,
  parseCorrection,
  unlessDeleted,
} from '@engawa/model';
import {
  absent,
  allOf,
  ConditionFailed,
  equal,
  pageKeyOf,
  present,
  retryOnConflict,
} from '@engawa/table';
import { cachedDeviceOf } from '../devices/device-cache.ts';
import { OutdatedHistory } from '../placements/allowed-stays.ts';
import { deviceNotFound, deviceTitle } from '../problems.ts';
import { hasRevision, isRevision, revisionOf } from '../revision.ts';
import { CorrectionRowStore, putRow } from './correction-rows.ts';
import type { ExpectedState, Revision } from '@engawa/http';
import type { Correction, CorrectionRows, CorrectionState, Device } from '@engawa/model';
import type { ItemPage, Table, Update } from '@engawa/table';
import type { CachedDevice } from '../devices/device-cache.ts';
import type { VersionedItem } from '../revision.ts';
import type { RequestedCorrection } from './requested-correction.ts';

/** Moves that cut corrections, in the device's item; further corrections by restricted clients are refused then. */
const maxCuts = 50;

export interface CorrectionConditions {
  expected?: ExpectedState<Revision>;
  /**
   * For a client that is restricted to places: limits the correction to the stays there. The correction is made on
   * the condition that the device has not moved meanwhile.
   * @throws OutdatedHistory, Problem
   */
  limit?: (asked: RequestedCorrection, device: CachedDevice) => Promise<RequestedCorrection>;
}

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
  readonly #rows: CorrectionRowStore;

  constructor(table: Table) {
    this.#table = table;
    this.#rows = new CorrectionRowStore(table);
  }

  /**
   * Idempotent: repeating the request returns the existing correction.
   * @returns the correction, and whether it is new
   * @throws Problem `device-not-found`, `correction-not-found`, `correction-exists`,
   * `already-exists`, `version-mismatch`, `too-many-corrections`, `too-many-conflicts`
   */
  async make(
    asked: RequestedCorrection,
    { expected, limit }: CorrectionConditions = {},
  ): Promise<{ correction: Correction; created: boolean }> {
    const { device: id } = asked;
    return retryOnConflict({ resource: deviceTitle(id), isConflict }, async () => {
      const [cached, known] = await Promise.all([this.#device(id), this.#find(asked)]);
      const { device } = cached;
      const limited = (await limit?.(asked, cached)) ?? asked;
      const correction = { ...limited, sequence: (device.corrections?.made ?? 0) + 1 };
      expectVersion(known, asked.id, expected);
      if (known !== undefined) {
        const isMade = known.undoneAt === undefined && isSameCorrection(known, correction);
        if (isMade) return { correction: known, created: false };
        throw exists(known);
      }
      if (isCutTooOften(device, correction)) throw tooManyCuts(id);
      const rows = await this.#rows.with(device, correction);
      const put = { put: correctionItem(correction), onlyIf: absent('pk') };
      const row = rows === undefined ? [] : [putRow(correction)];
      await this.#table.transact([put, ...row, nextState(device, { ...correction, rows })]);
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
      const [{ device }, known] = await Promise.all([
        this.#device(id),
        this.#find({ device: id, id: correction }),
      ]);
      if (known === undefined) throw correctionNotFound(correction);
      expectVersion(known, correction, expected);
      if (known.undoneAt !== undefined) return;
      const change = {
        set: { undoneAt: Date.now(), ...(by !== undefined && { undoneBy: by }) },
        onlyIf: allOf(present('pk'), absent('undoneAt')),
      };
      const isInRow = device.corrections?.rows !== undefined;
      await this.#table.transact([
        { update: correctionKey(id, correction), ...change },
        ...(isInRow ? [{ update: correctionRowKeyOf(known), ...change }] : []),
        nextState(device),
      ]);
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

  async #device(id: string): Promise<CachedDevice> {
    const item = unlessDeleted(await this.#table.get(deviceKey(id), { consistent: true }));
    if (item === undefined) throw deviceNotFound(id);
    return cachedDeviceOf(item);
  }

  async #find({ device, id }: Pick<Correction, 'device' | 'id'>): Promise<Correction | undefined> {
    const item = await this.#table.get(correctionKey(device, id), { consistent: true });
    return item && parseCorrection(item);
  }
}

/**
 * A new version of the corrections, which makes query read them again. Independent of the version
 * of the device, whose representation has no corrections.
 * @param made the new correction; without it, one was undone
 */
function nextState(
  device: Device,
  made?: Correction & { rows: CorrectionRows | undefined },
): Update {
  const { id, corrections: known } = device;
  const openUntil = Math.max(known?.openUntil ?? 0, made?.within?.at(-1)?.to ?? 0);
  const state: CorrectionState = {
    ...known,
    version: randomUUID(),
    made: made?.sequence ?? known?.made ?? 0,
    ...(openUntil > 0 && { openUntil }),
    ...(made?.rows && { rows: made.rows }),
  };
  const isSameState =
    known === undefined
      ? absent('corrections')
      : equal('corrections', correctionStateDocument(known));
  const hasNotMoved = made?.within !== undefined && hasRevision(revisionOf(device));
  return {
    update: deviceKey(id),
    set: { corrections: correctionStateDocument(state) },
    onlyIf: allOf(present('version'), isSameState, ...(hasNotMoved ? [hasNotMoved] : [])),
  };
}

function isConflict(error: unknown): error is Error {
  return error instanceof ConditionFailed || error instanceof OutdatedHistory;
}

function isCutTooOften({ corrections }: Device, { within }: Correction): boolean {
  return within !== undefined && (corrections?.cuts ?? []).length >= maxCuts;
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

function tooManyCuts(device: string): Problem {
  const message = `Moves have ended corrections of the device ${JSON.stringify(device)} ${maxCuts} times, so only a token that is not restricted to places can make further ones.`;
  return new Problem('too-many-corrections', message);
}
