import { send } from './client.ts';
import { compare } from './compare.ts';
import { contentOf, relationKey, targetOf } from './content.ts';
import { hasScore } from './ledger.ts';
import { pathOf, readEntity } from './read-entity.ts';
import { keyOf } from './types.ts';
import { Choices } from './choices.ts';
import type { HttpResponse, Request } from './client.ts';
import type { Content, ContentInput, State } from './content.ts';
import type { Ledger, ScoreWrite } from './ledger.ts';
import type { Report } from './report.ts';
import type { Name } from './types.ts';
import type { CatalogStack } from './catalog-stack.ts';

export interface WriterOptions {
  number: number;
  stack: CatalogStack;
  ledger: Ledger;
  report: Report;
  random: () => number;
  own: readonly Name[];
  artists: readonly Name[];
}

/** Problem codes that are possible in any order of requests. */
const usualRefusals = new Set([
  'not-sent',
  'entity-not-found',
  'related-entity-not-found',
  'still-related',
  'not-unique',
]);

/** Creates, changes and deletes its own entities, and increments scores of all. */
export class Writer {
  readonly #options: WriterOptions;
  readonly #choices: Choices;
  #writes = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#choices = new Choices(options);
  }

  /** Creates all its entities, so that others can relate to them. */
  async begin(): Promise<void> {
    await this.#createMany(this.#options.own);
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await this.#step();
  }

  async #step(): Promise<void> {
    const name = this.#choices.ownEntity();
    if (this.#options.ledger.isVague(name)) return this.#replace(name);
    switch (this.#choices.operation()) {
      case 'replace':
        return this.#replace(name);
      case 'patch':
        return this.#patch(name);
      case 'delete':
        return this.#delete(name);
      case 'score':
        return this.#score(this.#choices.artist());
      case 'create-many':
        return this.#createMany(this.#options.own.filter((one) => this.#isCertain(one)));
      case 'read':
        return this.#read(name);
    }
  }

  async #replace(name: Name): Promise<void> {
    const given = { ...this.#given(name), code: this.#choices.code() };
    const check = this.#refusalCheck(given);
    const score = this.#beginScore(name, undefined);
    const answer = await this.#send({ method: 'PUT', path: pathOf(name), body: bodyOf(given) });
    this.#endScore(name, score, answer);
    check(name, answer);
    const state = contentOf(given, answer.span);
    this.#options.ledger.note(name, answer.outcome, () => ({ state }));
  }

  async #patch(name: Name): Promise<void> {
    const { ledger, report } = this.#options;
    const wasThere = ledger.isSurelyThere(name);
    const given = this.#given(name, { mostRelations: 3 });
    const removed = this.#choices.artistIds(2);
    const check = this.#refusalCheck(given);
    const { artist, featuring = [] } = given.relations;
    const relations = {
      ...(artist?.[0] !== undefined && { artist: artist[0] }),
      featuring: { add: featuring, remove: removed },
    };
    const { name: title, write } = given;
    const body = {
      attributes: { name: title, write, code: this.#choices.code() ?? null },
      ...(name.type === 'Track' && { relations }),
    };
    const answer = await this.#send({ method: 'PATCH', path: pathOf(name), body });
    check(name, answer);
    if (answer.code === 'entity-not-found' && wasThere) {
      report.inconsistency(`${keyOf(name)}: a PATCH did not find it`);
    }
    ledger.note(
      name,
      answer.outcome,
      (state) => state && { state: patched(state, given, removed, answer) },
    );
  }

  async #delete(name: Name): Promise<void> {
    const { ledger, report } = this.#options;
    const wasThere = ledger.isSurelyThere(name);
    const isDetaching = name.type === 'Artist' && this.#choices.chance(0.7);
    const deletion = { from: performance.now(), to: Infinity, isDetaching };
    const { deletions } = ledger.of(name);
    deletions.push(deletion);
    const score = this.#beginScore(name, undefined);
    const path = `${pathOf(name)}${isDetaching ? '?detach=true' : ''}`;
    const answer = await this.#send({ method: 'DELETE', path });
    this.#endScore(name, score, answer);
    if (answer.outcome !== 'unknown') deletion.to = performance.now();
    if (answer.outcome === 'refused') deletions.splice(deletions.indexOf(deletion), 1);
    if (answer.code === 'entity-not-found' && wasThere) {
      report.inconsistency(`${keyOf(name)}: a DELETE did not find it`);
    }
    ledger.note(name, answer.outcome, (state) => state && { state: undefined });
  }

  async #score(name: Name): Promise<void> {
    const value = ++this.#writes * 100 + this.#options.number;
    const score = this.#beginScore(name, value);
    const body = { attributes: { plays: value } };
    const answer = await this.#send({ method: 'PATCH', path: pathOf(name), body });
    this.#endScore(name, score, answer);
  }

  /** In one request; existing entities are not changed. */
  async #createMany(names: readonly Name[]): Promise<void> {
    const { ledger } = this.#options;
    const entries = names.map((name) => {
      const given = this.#given(name, { mostRelations: 5 });
      const isNew = !ledger.isSurelyThere(name);
      return { name, given, isNew, score: isNew ? this.#beginScore(name, undefined) : undefined };
    });
    const body = entries.map(({ name, given }) => ({ ...name, ...bodyOf(given) }));
    const answer = await this.#send({ method: 'POST', path: '/v1/entities', body });
    const errors = (answer.body['errors'] ?? []) as { line: number }[];
    const refused = new Set(errors.map(({ line }) => line - 1));
    for (const [index, { name, given, isNew, score }] of entries.entries()) {
      if (!isNew) continue;
      const outcome = refused.has(index) ? 'refused' : answer.outcome;
      this.#endScore(name, score, { ...answer, outcome });
      const state = contentOf(given, answer.span);
      ledger.note(name, outcome, (before) => ({ state: before ?? state }));
    }
  }

  async #read(name: Name): Promise<void> {
    const { ledger, report } = this.#options;
    const { found, answer, read } = await readEntity(this.#url(), name);
    report.count(`GET ${answer.code}`);
    if (found === undefined) return;
    const wrong = compare(ledger.of(name), found, { ledger, read, isQuiet: false });
    if (wrong !== undefined) report.inconsistency(`${keyOf(name)}, read by its owner: ${wrong}`);
  }

  #given(name: Name, options?: { mostRelations: number }): ContentInput {
    const write = `w${this.#options.number}-${++this.#writes}`;
    const relations = name.type === 'Track' ? this.#choices.relations(options) : {};
    return { name: this.#choices.name(), write, relations };
  }

  async #send(request: Request): Promise<HttpResponse> {
    const { report } = this.#options;
    const answer = await send(this.#url(), request);
    report.sent(request, answer);
    if (answer.outcome === 'refused' && !usualRefusals.has(answer.code)) {
      report.inconsistency(
        `${request.method} ${request.path} was refused: ${JSON.stringify(answer.body)}`,
      );
    }
    return answer;
  }

  #url(): string {
    const { stack, random } = this.#options;
    return stack.someUrl(random);
  }

  /** @returns a check, made after the response: did a rejected relation's target exist all the time? */
  #refusalCheck({ relations }: ContentInput): (name: Name, answer: HttpResponse) => void {
    const { ledger, report } = this.#options;
    const ids = new Set([...(relations.artist ?? []), ...(relations.featuring ?? [])]);
    const targets = [...ids].map((id): Name => ({ type: 'Artist', id }));
    const wereThere = targets.every((target) => ledger.isSurelyThere(target));
    return (name, { code, span, body }) => {
      if (code !== 'related-entity-not-found' || !wereThere) return;
      if (!targets.every((target) => ledger.isUntouchedSince(target, span.from))) return;
      report.inconsistency(
        `${keyOf(name)}: a relation to an existing entity was refused: ${JSON.stringify(body)}`,
      );
    };
  }

  #isCertain(name: Name): boolean {
    return this.#options.ledger.of(name).possible.length === 1;
  }

  #beginScore(name: Name, value: number | undefined): ScoreWrite | undefined {
    if (!hasScore(name)) return undefined;
    const write = { value, span: { from: performance.now(), to: Infinity } };
    this.#options.ledger.of(name).scores.push(write);
    return write;
  }

  #endScore(name: Name, write: ScoreWrite | undefined, { outcome }: HttpResponse): void {
    if (write === undefined) return;
    const { scores } = this.#options.ledger.of(name);
    if (outcome === 'taken') write.span.to = performance.now();
    if (outcome === 'refused') scores.splice(scores.indexOf(write), 1);
  }
}

function bodyOf({ name, write, code, relations: { artist, featuring } }: ContentInput) {
  const attributes = { name, write, ...(code !== undefined && { code }) };
  if (artist === undefined && featuring === undefined) return { attributes };
  const relations = { ...(artist?.[0] && { artist: artist[0] }), featuring: featuring ?? [] };
  return { attributes, relations };
}

function patched(
  state: Content,
  given: ContentInput,
  removed: readonly string[],
  { span }: HttpResponse,
): State {
  const { artist, featuring = [] } = given.relations;
  const relations = new Map(state.relations);
  if (artist?.[0] !== undefined) {
    for (const key of state.relations.keys()) {
      if (targetOf(key).relation === 'artist') relations.delete(key);
    }
    relations.set(relationKey('artist', artist[0]), span);
  }
  for (const id of removed) relations.delete(relationKey('featuring', id));
  for (const id of featuring) relations.set(relationKey('featuring', id), span);
  return { name: given.name, write: given.write, relations };
}
