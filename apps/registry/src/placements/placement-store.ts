import { invariant, Problem } from '@engawa/errors';
import { deviceKey, placePartition } from '@engawa/keys';
import { unlessDeleted } from '@engawa/model';
import { ConditionFailed, retryOnConflict } from '@engawa/table';
import { changeDevice } from '../devices/change-device.ts';
import { deviceNotFound, deviceTitle, deviceVersionMismatch } from '../problems.ts';
import { cachedDeviceOf } from '../devices/device-cache.ts';
import { cutByMove, isAtLocation, moved, moveWrites, targetChecks } from './move-device.ts';
import { placeNotFound } from '../places/place-store.ts';
import { readHistory } from './placement-history.ts';
import { roomNotFound } from '../places/room-store.ts';
import { hasRevision, isRevision, revisionOf } from '../revision.ts';
import type { Revision } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { Shards, Table } from '@engawa/table';
import type { DeviceChange } from '../devices/change-device.ts';
import type { CachedDevice, DeviceCache } from '../devices/device-cache.ts';
import type { Move, MoveWrite, MovePart } from './move-device.ts';
import type { HistoryPage, HistoryRequest } from './placement-history.ts';

export interface PlacementStoreOptions {
  table: Table;
  known: DeviceCache;
  shards: Shards;
}

export interface MoveRequest {
  device: string;
  to: Move['to'];
  /** For a removal: the place where the device must be. */
  from?: string;
  /** Epoch milliseconds; by default now. */
  since?: number | undefined;
  /** The expected revision; by default any. */
  revision?: Revision | undefined;
}

/** The transaction of a move failed since another client changed an item after it was read. */
class MoveConflict extends Error {
  override readonly name = 'MoveConflict';
  readonly failed: readonly MovePart[];
  /** The device after that change, if it changed and was not deleted. */
  readonly current: CachedDevice | undefined;

  constructor(failed: readonly MovePart[], current: CachedDevice | undefined) {
    super('an item of the move has changed');
    this.failed = failed;
    this.current = current;
  }
}

/** Tolerated difference of clocks. */
const maxFutureMs = 60_000;

/** Places and moves devices. */
export class PlacementStore {
  readonly #options: PlacementStoreOptions;

  constructor(options: PlacementStoreOptions) {
    this.#options = options;
  }

  /** Changes properties of a device: one request, or two where this replica has not seen it since it was placed. */
  change(change: DeviceChange): Promise<Device> {
    return changeDevice(this.#options, change);
  }

  /**
   * Places, moves or removes a device: one transaction, preceded by a GetItem where the cached
   * device is stale. Idempotent: a device that is at the location already is not changed.
   * @throws Problem `device-not-found`, `place-not-found`, `room-not-found`, `placement-not-found`,
   * `version-mismatch`, `history-conflict`, `too-many-conflicts`
   */
  async move(asked: MoveRequest): Promise<{ device: Device; moved: boolean }> {
    const { known } = this.#options;
    let guess = this.#guess(asked);
    let missing = new Set<MovePart>();
    const isConflict = (error: unknown) => error instanceof MoveConflict;
    const onConflict = ({ failed, current }: MoveConflict) => {
      const hasChanged = failed.includes('device');
      if (hasChanged) guess = current;
      missing = new Set(hasChanged ? [] : [...missing, ...failed]);
    };
    const resource = deviceTitle(asked.device);
    return retryOnConflict({ resource, isConflict, onConflict }, async () => {
      // Without a write that checks it, a cached device may be stale: it is read again.
      if (guess === undefined || refusalOf(guess.device, asked) !== undefined) {
        guess = await this.#read(asked.device);
        const refusal = refusalOf(guess.device, asked);
        if (refusal === 'there') {
          await this.#expectStillThere(guess.device, asked);
          return { device: guess.device, moved: false };
        }
        if (refusal !== undefined) throw refusal;
      }
      const move: Move = { to: asked.to, since: sinceOf(guess.device, asked) };
      move.corrections = cutByMove(guess.device, move);
      await this.#transact(asked, moveWrites(guess, move, missing));
      const result = moved(guess, move);
      known.note(result);
      return { device: result.device, moved: true };
    });
  }

  /** The history of a device. */
  async history(question: HistoryRequest): Promise<HistoryPage> {
    return readHistory(this.#options.table, question);
  }

  /** Whether devices are at a place: one consistent Query. */
  async hasDevices(place: string): Promise<boolean> {
    const question = { pk: placePartition(place), sk: { beginsWith: 'DEVICE#' }, limit: 1 };
    const { items } = await this.#options.table.query({ ...question, consistent: true });
    return items.length > 0;
  }

  #guess({ device, revision }: MoveRequest): CachedDevice | undefined {
    const guess = this.#options.known.get(device);
    return revision === undefined || (guess && isRevision(guess.device, revision))
      ? guess
      : undefined;
  }

  async #read(device: string): Promise<CachedDevice> {
    const key = deviceKey(device);
    const item = unlessDeleted(await this.#options.table.get(key, { consistent: true }));
    if (item === undefined) {
      this.#options.known.forget(device);
      throw deviceNotFound(device);
    }
    const known = cachedDeviceOf(item);
    this.#options.known.note(known);
    return known;
  }

  /**
   * A transaction of condition checks only. A deleted place or room has its devices until they are
   * moved out.
   * @throws MoveConflict, Problem `place-not-found`, `room-not-found`
   */
  #expectStillThere(device: Device, asked: MoveRequest): Promise<void> {
    const check = { check: deviceKey(device.id), onlyIf: hasRevision(revisionOf(device)) };
    return this.#transact(asked, [{ part: 'device', write: check }, ...targetChecks(asked.to)]);
  }

  /**
   * @param writes the first one is that of the device
   * @throws MoveConflict, Problem `place-not-found`, `room-not-found`
   */
  async #transact(asked: MoveRequest, writes: readonly MoveWrite[]): Promise<void> {
    try {
      await this.#options.table.transact(writes.map(({ write }) => write));
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const failed = error.failed.map(
        (index) => invariant(writes[index], 'a failed condition is one of a write').part,
      );
      this.#expectTarget(asked, failed);
      const current = unlessDeleted(error.items.get(0));
      throw new MoveConflict(failed, current && cachedDeviceOf(current));
    }
  }

  #expectTarget({ to }: MoveRequest, failed: readonly MovePart[]): void {
    if (to === undefined) return;
    if (failed.includes('place')) throw placeNotFound(to.place);
    if (failed.includes('room')) {
      const id = invariant(to.room, 'only a move to a room depends on one');
      throw roomNotFound({ place: to.place, id });
    }
  }
}

/** The reason for which nothing is written; 'there' where the device is at the location already. */
function refusalOf(
  device: Device,
  { to, from, since, revision }: MoveRequest,
): 'there' | Problem | undefined {
  const id = JSON.stringify(device.id);
  if (revision !== undefined && !isRevision(device, revision)) return deviceVersionMismatch(device);
  if (from !== undefined && device.place !== from) {
    const detail = `The device ${id} is not at the place ${JSON.stringify(from)}.`;
    return new Problem('placement-not-found', detail);
  }
  if (to !== undefined && isAtLocation(device, to)) return 'there';
  if (since === undefined) return undefined;
  if (since > Date.now() + maxFutureMs) {
    return futureTime();
  }
  if (device.since === undefined || since > device.since) return undefined;
  const last = new Date(device.since).toISOString();
  return historyConflict(`The device ${id} was last moved at ${last}; \`since\` must be later.`);
}

function futureTime(): Problem {
  const fieldErrors = [{ path: 'body.since', message: 'must be at most a minute in the future' }];
  return new Problem('invalid-request', 'body.since must be at most a minute in the future.', {
    fieldErrors,
  });
}

function historyConflict(detail: string): Problem {
  return new Problem('history-conflict', detail);
}

/** Strictly after the last move, even if this replica's clock is behind another's. */
function sinceOf(device: Device, { since }: MoveRequest): number {
  return since ?? Math.max(Date.now(), (device.since ?? 0) + 1);
}
