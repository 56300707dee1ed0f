import { Violation } from '../../world/violation.ts';
import { keyOf, pathOf } from './catalog-types.ts';
import type { EntityName } from '../../oracles/entities-ledger.ts';
import type { World } from '../../kernel/index.ts';
import type { Random } from '../../kernel/index.ts';
import type { CatalogResponse, CatalogClient } from './catalog-client.ts';

interface Draft {
  name: EntityName;
  /** ETag of the current draft; undefined if none exists. */
  etag: string | undefined;
  text: string | undefined;
  /** ETags of former states. */
  former: string[];
  isBusy: boolean;
  /** Time until which a write without a response may take effect. */
  restsUntil: number;
  isVague: boolean;
}

const restMs = 3_600_000;
const maxFormer = 8;

/** Entities that are only written with If-Match and If-None-Match. */
export class Drafts {
  readonly #client: CatalogClient;
  readonly #random: Random;
  readonly #world: World;
  readonly #drafts: Draft[];
  #texts = 0;

  constructor({ client, random, world }: { client: CatalogClient; random: Random; world: World }) {
    this.#client = client;
    this.#random = random;
    this.#world = world;
    this.#drafts = ['one', 'two', 'three'].map((id) => ({
      name: { type: 'Draft', id },
      ...{
        etag: undefined,
        text: undefined,
        former: [],
        isBusy: false,
        restsUntil: 0,
        isVague: false,
      },
    }));
  }

  async step(): Promise<void> {
    const random = this.#random;
    const now = this.#world.now();
    const free = this.#drafts.filter(({ isBusy, restsUntil }) => !isBusy && restsUntil <= now);
    if (free.length === 0) return;
    const draft = random.pick(free);
    draft.isBusy = true;
    try {
      if (draft.isVague) await this.#learn(draft);
      else if (draft.etag === undefined) await this.#create(draft);
      else if (draft.former.length > 0 && random.chance(0.3)) await this.#writeFormer(draft);
      else if (random.chance(0.35)) await this.#delete(draft);
      else await this.#race(draft);
    } finally {
      draft.isBusy = false;
    }
  }

  async check(): Promise<string[]> {
    const violations: string[] = [];
    for (const draft of this.#drafts) {
      if (draft.isVague) continue;
      const { status, body } = await this.#client.insist({ path: pathOf(draft.name) });
      const { attributes } = body as { attributes?: { text: string } };
      const found = status === 404 ? undefined : attributes?.text;
      if (found !== draft.text) {
        violations.push(
          `${keyOf(draft.name)} is ${found ?? 'missing'} instead of ${draft.text ?? 'deleted'}`,
        );
      }
    }
    return violations;
  }

  async #create(draft: Draft): Promise<void> {
    const text = this.#text();
    const answer = await this.#put(draft, text, { 'if-none-match': '*' });
    this.#note(draft, answer, text);
    if (answer.outcome === 'refused' && answer.code !== 'no-answer') {
      throw new Violation(
        `${keyOf(draft.name)} does not exist, but its creation was rejected: ${answer.text}`,
      );
    }
  }

  /** Sends two concurrent writes with the same ETag: exactly one must succeed. */
  async #race(draft: Draft): Promise<void> {
    const { etag } = draft;
    const headers = { 'if-match': etag ?? '' };
    const texts = [this.#text(), this.#text()];
    const answers = await Promise.all(texts.map((text) => this.#write(draft, text, headers)));
    const winners = answers.filter(({ outcome }) => outcome === 'taken');
    const what = `two writes of ${keyOf(draft.name)} with the ETag ${etag ?? ''}`;
    if (winners.length > 1) throw new Violation(`both of ${what} succeeded`);
    for (const { code, outcome, text } of answers) {
      if (outcome !== 'refused' || code === 'no-answer' || code === 'version-mismatch') continue;
      throw new Violation(`one of ${what} was rejected: ${text}`);
    }
    const [winner] = winners;
    if (winner !== undefined) {
      // The other write can no longer succeed.
      this.#note(draft, winner, texts[answers.indexOf(winner)]);
    } else if (answers.some(({ outcome }) => outcome === 'unknown')) this.#forget(draft);
    else if (answers.some(({ code }) => code === 'version-mismatch')) {
      throw new Violation(`none of ${what} succeeded`);
    }
  }

  async #delete(draft: Draft): Promise<void> {
    const headers = { 'if-match': draft.etag ?? '' };
    const answer = await this.#client.send({ method: 'DELETE', path: pathOf(draft.name), headers });
    if (answer.outcome === 'refused' && answer.code !== 'no-answer') {
      throw new Violation(`the deletion of ${keyOf(draft.name)} was rejected: ${answer.text}`);
    }
    this.#note(draft, answer, undefined);
    if (answer.outcome === 'taken') await this.#create(draft);
  }

  /** Writes with the ETag of a former state: the write must be rejected. */
  async #writeFormer(draft: Draft): Promise<void> {
    const etag = this.#random.pick(draft.former);
    const { outcome, text, code } = await this.#write(draft, this.#text(), { 'if-match': etag });
    if (outcome !== 'unknown' && (code === 'version-mismatch' || code === 'no-answer')) return;
    if (outcome === 'unknown') return;
    const what = `a write of ${keyOf(draft.name)} with the former ETag ${etag}`;
    throw new Violation(`${what} got ${text}; the current ETag is ${draft.etag ?? 'none'}`);
  }

  /** Reads the current state after writes without a response can no longer take effect. */
  async #learn(draft: Draft): Promise<void> {
    const { status, etag, body } = await this.#client.send({ path: pathOf(draft.name) });
    if (status !== 200 && status !== 404) return;
    const { attributes } = body as { attributes?: { text: string } };
    draft.etag = status === 200 ? etag : undefined;
    draft.text = status === 200 ? attributes?.text : undefined;
    draft.isVague = false;
  }

  #write(draft: Draft, text: string, headers: Record<string, string>): Promise<CatalogResponse> {
    if (this.#random.chance(0.5)) return this.#put(draft, text, headers);
    const body = { attributes: { text } };
    return this.#client.send({ method: 'PATCH', path: pathOf(draft.name), body, headers });
  }

  #put({ name }: Draft, text: string, headers: Record<string, string>): Promise<CatalogResponse> {
    const body = { attributes: { text } };
    return this.#client.send({ method: 'PUT', path: pathOf(name), body, headers });
  }

  #note(draft: Draft, { outcome, etag }: CatalogResponse, text: string | undefined): void {
    if (outcome === 'unknown') this.#forget(draft);
    if (outcome !== 'taken') return;
    if (draft.etag !== undefined) draft.former = [...draft.former, draft.etag].slice(-maxFormer);
    draft.etag = text === undefined ? undefined : etag;
    draft.text = text;
  }

  #forget(draft: Draft): void {
    draft.isVague = true;
    draft.restsUntil = this.#world.now() + restMs;
  }

  #text(): string {
    return `text ${++this.#texts}`;
  }
}
