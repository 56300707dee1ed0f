import { relationKey, relationNames } from '../../oracles/entities-ledger.ts';
import { entityDifference, statesBehind } from '../../oracles/entity-difference.ts';
import { Violation } from '../../world/violation.ts';
import { keyOf, pathOf } from './catalog-types.ts';
import { MusicChoices } from './music-choices.ts';
import { bodyOf, contentOf, givenOf, patched, patchOf } from './music-content.ts';
import { readMusic } from './read-music.ts';
import type { Random } from '../../kernel/index.ts';
import type { EntitiesLedger, EntityName } from '../../oracles/entities-ledger.ts';
import type { ActorContext } from '../actor.ts';
import type { CatalogResponse, CatalogClient } from './catalog-client.ts';
import type { EntityInput } from './music-choices.ts';

export interface MusicOptions extends Pick<ActorContext, 'world'> {
  client: CatalogClient;
  random: Random;
  ledger: EntitiesLedger;
  artists: readonly EntityName[];
  tracks: readonly EntityName[];
  /** Ids of artists that are never deleted. */
  stable: readonly string[];
}

/** Problem codes that are possible in some order of concurrent requests. */
const usualRefusals = new Set([
  'no-answer',
  'entity-not-found',
  'related-entity-not-found',
  'still-related',
  'not-unique',
]);

/** Milliseconds without writes of an entity after a write without a response: until another day. */
const restMs = 3_600_000;

/** Artists and tracks that are created, replaced, changed and deleted, with relations between them. */
export class Music {
  readonly #options: MusicOptions;
  readonly #choices: MusicChoices;
  /** Entities with a pending request. */
  readonly #busy = new Set<string>();

  constructor(options: MusicOptions) {
    this.#options = options;
    this.#choices = new MusicChoices(options);
  }

  /** Sends one or two requests for one entity. */
  async step(): Promise<void> {
    const { random, artists, tracks } = this.#options;
    const name = this.#free(random.chance(0.45) ? artists : tracks);
    if (name === undefined) return;
    await this.#exclusively(name, () => this.#change(name));
  }

  /** Sets the score of an artist, possibly concurrently with other writes. */
  async score(): Promise<void> {
    const { random, artists, client, ledger, world } = this.#options;
    const name = random.pick(artists);
    const value = random.integer(1, 1_000_000);
    const score = ledger.beginScore(name, value, world.now());
    const body = { attributes: { plays: value } };
    const answer = await client.send({ method: 'PATCH', path: pathOf(name), body });
    ledger.endScore(name, score, answer);
    this.#refuseUnusual(name, answer);
  }

  /** Creates several entities with one request. */
  async createMany(): Promise<void> {
    const { client, tracks, artists, ledger, random, world } = this.#options;
    const isKnown = (name: EntityName) =>
      this.#isFree(name) && ledger.of(name).possible.length === 1;
    const free = [...artists, ...tracks].filter((name) => isKnown(name) && random.chance(0.4));
    for (const name of free) this.#busy.add(keyOf(name));
    const entries = free.map((name) => {
      const isNew = !ledger.isSurelyThere(name);
      const score = isNew ? ledger.beginScore(name, undefined, world.now()) : undefined;
      return { name, given: this.#choices.given(name), isNew, score };
    });
    const body = entries.map(({ name, given }) => ({ ...name, ...bodyOf(name, given) }));
    const answer = await client.send({ method: 'POST', path: '/v1/entities', body });
    const errors = (answer.body['errors'] ?? []) as { line: number }[];
    const refused = new Set(errors.map(({ line }) => line - 1));
    for (const [index, { name, given, isNew, score }] of entries.entries()) {
      this.#busy.delete(keyOf(name));
      const outcome = refused.has(index) ? 'refused' : answer.outcome;
      // Even an existing entity must rest: after a deletion, the delayed request could create it.
      if (outcome === 'unknown') this.#rest(name);
      if (!isNew) continue;
      ledger.endScore(name, score, { ...answer, outcome });
      const state = contentOf(given, answer.span);
      ledger.note(name, outcome, (before) => ({ state: before ?? state }));
    }
  }

  async #change(name: EntityName): Promise<void> {
    const { ledger, random } = this.#options;
    if (ledger.of(name).possible.length > 1) await this.#read(name, true);
    const drawn = random.fraction();
    if (drawn < 0.35) return this.#replace(name);
    if (drawn < 0.65) return this.#patch(name);
    if (drawn < 0.85) return this.#delete(name);
    return this.#read(name, false);
  }

  async #replace(name: EntityName, given = this.#choices.given(name)): Promise<void> {
    const { ledger, client, world } = this.#options;
    const check = this.#refusalCheck(given);
    const score = ledger.beginScore(name, undefined, world.now());
    const body = bodyOf(name, given);
    const answer = await client.send({ method: 'PUT', path: pathOf(name), body });
    ledger.endScore(name, score, answer);
    check(name, answer);
    const state = contentOf(given, answer.span);
    ledger.note(name, answer.outcome, () => ({ state }));
    this.#settle(name, answer);
  }

  async #patch(name: EntityName): Promise<void> {
    const { ledger, client } = this.#options;
    const wasThere = ledger.isSurelyThere(name);
    const given = this.#choices.given(name);
    const removed = name.type === 'Track' ? this.#choices.artistIds(2) : [];
    const check = this.#refusalCheck(given);
    const body = patchOf(name, given, removed);
    const answer = await client.send({ method: 'PATCH', path: pathOf(name), body });
    check(name, answer);
    if (answer.code === 'entity-not-found' && wasThere) this.#fail(name, 'a PATCH got not-found');
    ledger.note(name, answer.outcome, (state) => {
      return state && { state: patched(state, given, { removed, span: answer.span }) };
    });
    this.#settle(name, answer);
  }

  async #delete(name: EntityName): Promise<void> {
    const { ledger, client, random, world } = this.#options;
    const wasThere = ledger.isSurelyThere(name);
    const isDetaching = name.type === 'Artist' && random.chance(0.7);
    const deletion = { from: world.now(), to: Infinity, isDetaching, isCertain: false };
    const { deletions } = ledger.of(name);
    deletions.push(deletion);
    const score = ledger.beginScore(name, undefined, world.now());
    const path = `${pathOf(name)}${isDetaching ? '?detach=true' : ''}`;
    const answer = await client.send({ method: 'DELETE', path });
    ledger.endScore(name, score, answer);
    deletion.to = answer.span.to;
    deletion.isCertain = answer.outcome === 'taken';
    if (answer.outcome === 'refused') deletions.splice(deletions.indexOf(deletion), 1);
    if (answer.code === 'entity-not-found' && wasThere) this.#fail(name, 'a DELETE got not-found');
    ledger.note(name, answer.outcome, (state) => state && { state: undefined });
    this.#settle(name, answer);
    // Often the entity is recreated at once.
    if (answer.outcome !== 'taken' || random.chance(0.4)) return;
    await this.#replace(name);
    await Promise.all(
      this.#relatedTo(name).map((track) =>
        this.#exclusively(track, () => this.#replaceByItself(track)),
      ),
    );
  }

  /** Tracks without pending requests that related to a deleted artist. */
  #relatedTo({ type, id }: EntityName): EntityName[] {
    if (type !== 'Artist') return [];
    const keys = relationNames.map((relation) => relationKey(relation, id));
    return this.#options.tracks.filter((track) => {
      const { possible } = this.#options.ledger.of(track);
      const [state] = possible;
      return (
        possible.length === 1 &&
        this.#isFree(track) &&
        keys.some((key) => state?.relations.has(key))
      );
    });
  }

  /**
   * Replaces an entity by its own content. Relations must lead to the current incarnation of an entity.
   */
  async #replaceByItself(name: EntityName): Promise<void> {
    const [state] = this.#options.ledger.of(name).possible;
    if (state !== undefined) await this.#replace(name, givenOf(state));
  }

  async #read(name: EntityName, isRested: boolean): Promise<void> {
    const { client, ledger, world } = this.#options;
    const expected = ledger.of(name);
    if (isRested) ledger.endUnknown(expected, world.now());
    const { found, read } = await readMusic((request) => client.send(request), name);
    if (found === undefined) return;
    const options = { ledger, read, isQuiet: false };
    const wrong = entityDifference(expected, found, options);
    if (wrong !== undefined) this.#fail(name, wrong);
    expected.possible = statesBehind(expected, found, options);
  }

  #settle(name: EntityName, answer: CatalogResponse): void {
    this.#refuseUnusual(name, answer);
    if (answer.outcome === 'unknown') this.#rest(name);
  }

  #rest(name: EntityName): void {
    const { ledger, world } = this.#options;
    ledger.of(name).restsUntil = world.now() + restMs;
  }

  #refuseUnusual(name: EntityName, { outcome, code, text }: CatalogResponse): void {
    if (outcome === 'refused' && !usualRefusals.has(code))
      this.#fail(name, `a request was rejected: ${text}`);
  }

  #fail(name: EntityName, what: string): never {
    throw new Violation(`${keyOf(name)}: ${what}`);
  }

  #isFree(name: EntityName): boolean {
    const { ledger, world } = this.#options;
    return !this.#busy.has(keyOf(name)) && ledger.of(name).restsUntil <= world.now();
  }

  #free(names: readonly EntityName[]): EntityName | undefined {
    const free = names.filter((name) => this.#isFree(name));
    return free.length === 0 ? undefined : this.#options.random.pick(free);
  }

  async #exclusively(name: EntityName, work: () => Promise<void>): Promise<void> {
    this.#busy.add(keyOf(name));
    try {
      await work();
    } finally {
      this.#busy.delete(keyOf(name));
    }
  }

  /** @returns a check of the response: a relation to an entity that existed all the time must not be rejected */
  #refusalCheck({
    relations: { artist, featuring },
  }: EntityInput): (name: EntityName, a: CatalogResponse) => void {
    const { ledger, artists } = this.#options;
    const ids = new Set([...artist, ...featuring]);
    const targets = artists.filter(({ id }) => ids.has(id));
    const wereThere = targets.every((target) => ledger.isSurelyThere(target));
    return (name, { code, span, text }) => {
      if (code !== 'related-entity-not-found' || !wereThere) return;
      if (!targets.every((target) => ledger.isUntouchedSince(target, span.from))) return;
      this.#fail(name, `a relation to an existing entity was rejected: ${text}`);
    };
  }
}
