import { Problem } from '@engawa/errors';
import { deviceKey } from '@engawa/keys';
import { unlessDeleted } from '@engawa/model';
import { ConditionFailed } from '@engawa/table';
import { changeDevice } from '../devices/change-device.ts';
import { contested, deviceNotFound, deviceVersionMismatch, mostAttempts } from './contest.ts';
import { knownOf } from '../devices/device-cache.ts';
import { isThere, moved, moveWrites, targetChecks } from './move-device.ts';
import { placeNotFound } from '../places/place-store.ts';
import { readHistory } from './placement-history.ts';
import { roomNotFound } from '../places/room-store.ts';
import { hasRevision, isRevision, revisionOf } from '../revision.ts';
import type { Revision } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { Shards, Table } from '@engawa/table';
import type { DeviceChange } from '../devices/change-device.ts';
import type { CachedDevice, DeviceCache } from '../devices/device-cache.ts';
import type { Move, MoveWrite, Part } from './move-device.ts';
import type { HistoryPage, HistoryQuestion } from './placement-history.ts';

export interface PlacementStoreOptions {
  table: Table;
  known: DeviceCache;
  shards: Shards;
}

export interface MoveAsked {
  device: string;
  to: Move['to'];
  /** The place from which it is taken away, where it must be; when it is moved, it may be anywhere. */
  from?: string;
  /** Epoch milliseconds; now, without it. */
  since?: number | undefined;
  /** The one that the device must have; without it, any. */
  revision?: Revision | undefined;
}

/** Milliseconds by which clocks may differ. */
const futureAllowed = 60_000;

/** Where the devices are. */
export class PlacementStore {
  readonly #options: PlacementStoreOptions;

  constructor(options: PlacementStoreOptions) {
    this.#options = options;
  }

  /** What people say of a device: one request, or two where this replica has not seen it since it was placed. */
  change(change: DeviceChange): Promise<Device> {
    return changeDevice(this.#options, change);
  }

  /**
   * Places or moves a device, or takes it away: one transaction, and a GetItem before where this replica has not seen the
   * device as it is. Where it is there already, nothing changes.
   * @throws Problem `device-not-found`, `place-not-found`, `room-not-found`, `placement-not-found`, `version-mismatch`,
   * `history-conflict`
   */
  async move(asked: MoveAsked): Promise<{ device: Device; moved: boolean }> {
    const { known } = this.#options;
    let guess = this.#guess(asked);
    let missing = new Set<Part>();
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      // What needs no write, or forbids it, may not rest on a guess.
      if (guess === undefined || refusalOf(guess.device, asked) !== undefined) {
        guess = await this.#read(asked.device);
        const refusal = refusalOf(guess.device, asked);
        if (refusal === 'there') {
          if (await this.#isStillThere(guess.device, asked)) {
            return { device: guess.device, moved: false };
          }
          guess = undefined;
          continue;
        }
        if (refusal !== undefined) throw refusal;
      }
      const move: Move = { to: asked.to, since: sinceOf(guess.device, asked) };
      const { failed, current } = await this.#write(guess, move, missing);
      if (failed.length === 0) {
        const result = moved(guess, move);
        known.note(result);
        return { device: result.device, moved: true };
      }
      this.#expectTarget(asked, failed);
      if (failed.includes('device')) {
        guess = current;
        missing = new Set();
      } else missing = new Set([...missing, ...failed]);
    }
    throw contested(asked.device);
  }

  /** Where a device has been. */
  async history(question: HistoryQuestion): Promise<HistoryPage> {
    return readHistory(this.#options.table, question);
  }

  #guess({ device, revision }: MoveAsked): CachedDevice | undefined {
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
    const known = knownOf(item);
    this.#options.known.note(known);
    return known;
  }

  /** @returns of what parts the conditions did not hold, none when all is written, and the device as it is, if that did not */
  async #write(
    known: CachedDevice,
    move: Move,
    missing: ReadonlySet<Part>,
  ): Promise<{ failed: Part[]; current?: CachedDevice | undefined }> {
    const writes = moveWrites(known, move, missing);
    try {
      await this.#options.table.transact(writes.map(({ write }) => write));
      return { failed: [] };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const { failed } = error;
      const current = unlessDeleted(error.items.get(0));
      return {
        failed: failed.flatMap((index) => writes[index]?.part ?? []),
        current: current && knownOf(current),
      };
    }
  }

  /**
   * One transaction that writes nothing. A place or room that has been deleted still has its devices until they are moved out.
   * @returns false where the device has changed meanwhile
   * @throws Problem `place-not-found`, `room-not-found`
   */
  async #isStillThere(device: Device, asked: MoveAsked): Promise<boolean> {
    const check = { check: deviceKey(device.id), onlyIf: hasRevision(revisionOf(device)) };
    const checks: MoveWrite[] = [{ part: 'device', write: check }, ...targetChecks(asked.to)];
    try {
      await this.#options.table.transact(checks.map(({ write }) => write));
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      this.#expectTarget(
        asked,
        error.failed.flatMap((index) => checks[index]?.part ?? []),
      );
      return false;
    }
  }

  #expectTarget({ to }: MoveAsked, failed: readonly Part[]): void {
    if (to === undefined) return;
    if (failed.includes('place')) throw placeNotFound(to.place);
    if (failed.includes('room')) throw roomNotFound({ place: to.place, id: to.room ?? '' });
  }
}

/** Why nothing is to be written, as far as this is the device; 'there' where it is where it should be. */
function refusalOf(
  device: Device,
  { to, from, since, revision }: MoveAsked,
): 'there' | Problem | undefined {
  const id = JSON.stringify(device.id);
  if (revision !== undefined && !isRevision(device, revision)) return deviceVersionMismatch(device);
  if (from !== undefined && device.place !== from) {
    const detail = `The device ${id} is not at the place ${JSON.stringify(from)}.`;
    return new Problem('placement-not-found', detail);
  }
  if (to !== undefined && isThere(device, to)) return 'there';
  if (since === undefined) return undefined;
  if (since > Date.now() + futureAllowed) {
    return historyConflict(`\`since\` is more than a minute in the future.`);
  }
  if (device.since === undefined || since > device.since) return undefined;
  const last = new Date(device.since).toISOString();
  return historyConflict(`The device ${id} was moved at ${last}; \`since\` has to be later.`);
}

function historyConflict(detail: string): Problem {
  return new Problem('history-conflict', detail);
}

/** Two moves of one device are never of the same millisecond, and a clock that is behind another does not matter. */
function sinceOf(device: Device, { since }: MoveAsked): number {
  return since ?? Math.max(Date.now(), (device.since ?? 0) + 1);
}
