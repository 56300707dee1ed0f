import {
  orphanedRows,
  danglingRelations,
  rowsOf,
  unequalRelationRecords,
  uniqueViolations,
  pendingWork,
} from '../../oracles/catalog-audit.ts';
import { EntitiesLedger } from '../../oracles/entities-ledger.ts';
import { entityDifference } from '../../oracles/entity-difference.ts';
import { MusicIndexes } from './music-indexes.ts';
import { Violation } from '../../world/violation.ts';
import { CatalogClient } from './catalog-client.ts';
import { Counters } from './counters.ts';
import { Declarations } from './declarations.ts';
import { Drafts } from './drafts.ts';
import { Music } from './music.ts';
import { keyOf } from './catalog-types.ts';
import { readMusic } from './read-music.ts';
import { Sessions } from './sessions.ts';
import { Transfers } from './transfers.ts';
import type { EntityName } from '../../oracles/entities-ledger.ts';
import type { Random } from '../../kernel/index.ts';
import type { FoundMusic } from './music-indexes.ts';
import type { TableModel } from '../../table/index.ts';
import type { TableDelays } from '../../world/table-delays.ts';
import type { Actor, ActorContext } from '../actor.ts';
import type { ActorStep } from '../steps.ts';

export interface CatalogUsersOptions extends ActorContext {
  table: TableModel;
  delays: TableDelays;
  /** Number of concurrent users. */
  users: number;
  /** Steps of each user per day. */
  stepsEach: number;
}

const maxPauseMs = 300;
/** Number of artists that are never deleted, in worlds with staged writes. */
const stableArtists = 55;
/** Maximum wait for the end of pending work, and the interval between two checks, in milliseconds. */
const settled = { withinMs: 1_200_000, everyMs: 10_000 };

/** Users of the catalog, who check that each response is consistent with requests that take effect atomically. */
export class CatalogUsers implements Actor {
  readonly name = 'users of the catalog';
  readonly client: CatalogClient;
  readonly #context: CatalogUsersOptions;
  readonly #ledger: EntitiesLedger;
  /** Reseeded by each step, so that omitting a step hardly changes the others. */
  readonly #stepRandom: Random;
  readonly #artists = namesOf('Artist', ['a', 'b', 'c', 'd']);
  readonly #tracks = namesOf('Track', ['p', 'q', 'r', 's', 't']);
  readonly #stable: readonly EntityName[];
  readonly #declarations: Declarations;
  readonly #music: Music;
  readonly #counters: Counters;
  readonly #drafts: Drafts;
  readonly #transfers: Transfers;
  readonly #sessions: Sessions;
  #hasBegun = false;

  constructor(context: CatalogUsersOptions) {
    this.#context = context;
    this.#stepRandom = context.random.fork();
    const { random, world, wallClock } = context;
    const client = new CatalogClient(context);
    this.client = client;
    const count = random.chance(0.3) ? stableArtists : 0;
    this.#stable = namesOf(
      'Artist',
      Array.from({ length: count }, (_, index) => `z${index}`),
    );
    const ledger = new EntitiesLedger(context.delays);
    this.#ledger = ledger;
    for (const name of [...this.#artists, ...this.#tracks, ...this.#stable]) ledger.add(name);
    const own = () => ({ client, world, wallClock, random: this.#stepRandom });
    this.#declarations = new Declarations(own());
    const stable = this.#stable.map(({ id }) => id);
    this.#music = new Music({
      ...own(),
      ledger,
      artists: this.#artists,
      tracks: this.#tracks,
      stable,
    });
    this.#counters = new Counters(own());
    this.#drafts = new Drafts(own());
    this.#transfers = new Transfers(own());
    this.#sessions = new Sessions(own());
  }

  async act(): Promise<void> {
    const { users, stepsEach, steps, gateway, random } = this.#context;
    const own = Array.from({ length: users }, () => steps.next(stepsEach));
    if (!this.#hasBegun) await this.#begin();
    // Requests of the previous day have ended by then.
    await gateway.sleep(random.integer(3000, 5000));
    await Promise.all(own.map((ofUser) => this.#use(ofUser)));
    const rows = this.#rows();
    const [left] = danglingRelations(rows, this.#context.delays.maxLagMs > 0);
    if (left !== undefined)
      throw new Violation(`a dangling relation after the search of a deletion: ${left}`);
    const [unequal] = unequalRelationRecords(rows);
    if (unequal !== undefined) throw new Violation(unequal);
  }

  async check(): Promise<string[]> {
    const undone = await this.#undone();
    if (undone.length > 0) return undone.map((what) => `pending work: ${what}`);
    const there: FoundMusic[] = [];
    const violations: string[] = [];
    for (const expected of this.#ledger.entities) {
      const { name } = expected;
      const { found, read } = await readMusic((request) => this.client.insist(request), name);
      if (found === undefined) {
        violations.push(`${keyOf(name)} cannot be read`);
        continue;
      }
      this.#ledger.endUnknown(expected, this.#context.world.now() - 1);
      const options = { ledger: this.#ledger, read, isQuiet: true };
      const wrong = entityDifference(expected, found, options);
      if (wrong !== undefined) violations.push(`${keyOf(name)}: ${wrong}`);
      if (found.state !== undefined) there.push({ name, state: found.state, score: found.score });
    }
    const { client } = this;
    const { searches } = this.#declarations;
    const indexes = new MusicIndexes({ client, there, random: this.#context.random });
    violations.push(...(await indexes.violations(searches.has('Track/byWrite'))));
    for (const part of [this.#counters, this.#drafts, this.#transfers, this.#sessions]) {
      violations.push(...(await part.check()));
    }
    const rows = this.#rows();
    return [...violations, ...orphanedRows(rows, searches), ...uniqueViolations(rows, 'code')];
  }

  async #begin(): Promise<void> {
    await this.#declarations.begin();
    await this.#counters.begin(['x', 'y']);
    await this.#transfers.begin(['u', 'v', 'w']);
    if (this.#stable.length > 0) {
      const attributes = { name: 'stable' };
      const body = this.#stable.map((name) => ({ ...name, attributes }));
      const answer = await this.client.insist({ method: 'POST', path: '/v1/entities', body });
      const state = { attributes, relations: new Map() };
      for (const name of this.#stable) this.#ledger.note(name, answer.outcome, () => ({ state }));
    }
    this.#hasBegun = true;
  }

  async #use(steps: readonly ActorStep[]): Promise<void> {
    for (const { random, begin } of steps) {
      const pauseMs = random.chance(0.6) ? random.integer(1, maxPauseMs) : 0;
      if (begin()) {
        this.#stepRandom.restart(random.integer(0, 0xffff_ffff));
        await this.#step(random.fraction());
      }
      if (pauseMs > 0) await this.#context.gateway.sleep(pauseMs);
    }
  }

  #step(drawn: number): Promise<void> {
    if (drawn < 0.5) return this.#music.step();
    if (drawn < 0.58) return this.#music.score();
    if (drawn < 0.61) return this.#music.createMany();
    if (drawn < 0.7) return this.#counters.step();
    if (drawn < 0.84) return this.#drafts.step();
    if (drawn < 0.92) return this.#transfers.step();
    if (drawn < 0.97) return this.#sessions.step();
    return this.#declarations.step();
  }

  /** Waits for pending work. @returns a sentence per task or staged write that has not ended */
  async #undone(): Promise<string[]> {
    const { world, gateway } = this.#context;
    const end = world.now() + settled.withinMs;
    for (;;) {
      const undone = pendingWork(this.#rows());
      if (undone.length === 0 || world.now() > end) return undone;
      await gateway.sleep(settled.everyMs);
    }
  }

  #rows() {
    return rowsOf(this.#context.table.items());
  }
}

function namesOf(type: string, ids: readonly string[]): EntityName[] {
  return ids.map((id) => ({ type, id }));
}
