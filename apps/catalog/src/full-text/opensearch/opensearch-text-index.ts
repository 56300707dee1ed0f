import { createHash } from 'node:crypto';
import { Client } from '@opensearch-project/opensearch';
import { Problem } from '@engawa/errors';
import { decodeTuple, encodeTuple } from '@engawa/keys';
import { messageOf } from '@engawa/service';
import { TextIndexLost } from '../text-index.ts';
import { wordsOf } from '../words.ts';
import { checkBulk, isMissing } from './bulk-answer.ts';
import { IndexNames } from './index-names.ts';
import { indexBody, searchBody } from './search-body.ts';
import type { TextRow } from '@engawa/model';
import type { Logger } from 'pino';
import type { FoundEntity, TextIndex, TextIndexBuild, TextQuestion } from '../text-index.ts';

export interface OpenSearchOptions {
  /** With user and password where it wants them. */
  url: string;
  tableName: string;
  log: Logger;
}

/** Milliseconds; a search has a person waiting for it. */
const searchTimeoutMs = 3000;
const writeTimeoutMs = 30_000;

/** The client that OpenSearchTextIndex works with; no error of it knows the password. */
export function openSearchTextIndex({ url, ...rest }: OpenSearchOptions): OpenSearchTextIndex {
  const { username, password } = new URL(url);
  const node = new URL(url);
  node.username = '';
  node.password = '';
  const auth = {
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
  const client = new Client({
    node: node.href,
    ...(username !== '' && { auth }),
    requestTimeout: writeTimeoutMs,
    maxRetries: 1,
  });
  return new OpenSearchTextIndex({ client, ...rest });
}

/**
 * One index for all replicas, behind an alias. Documents carry the time at which they were read as an external version:
 * OpenSearch takes none that was read before what it has, so that it does not matter who sends a change, and how often.
 *
 * Tried against a server of the tests' own that answers as the documentation of OpenSearch 2 and 3 says, not against a real
 * one: none can be had where this was written.
 */
export class OpenSearchTextIndex implements TextIndex {
  readonly #client: Client;
  readonly #names: IndexNames;
  readonly #log: Logger;
  #documents = 0;

  constructor({ client, tableName, log }: { client: Client; tableName: string; log: Logger }) {
    this.#client = client;
    this.#names = new IndexNames(tableName);
    this.#log = log;
  }

  get documents(): number {
    return this.#documents;
  }

  async search(question: TextQuestion): Promise<FoundEntity[]> {
    try {
      const asked = { index: this.#names.alias, body: searchBody(question) as object };
      const options = { requestTimeout: searchTimeoutMs };
      const { body } = await this.#client.search(asked, options);
      return body.hits.hits.map(({ _source, _score }) => {
        const [type = '', id = ''] = decodeTuple((_source as { key: string }).key);
        return { entity: { type, id }, score: Math.round(Number(_score) * 1000) / 1000 };
      });
    } catch (error) {
      const cause = new Error(messageOf(error));
      this.#log.debug({ reason: cause.message }, 'OpenSearch did not answer a search');
      throw new Problem('full-text-unavailable', 'The full-text index does not answer.', { cause });
    }
  }

  async apply(changes: readonly TextRow[], readAt: number): Promise<void> {
    await this.#send(this.#names.alias, changes, { readAt, refresh: true });
    await this.#count();
  }

  async isThere(): Promise<boolean> {
    try {
      await this.#count();
      return true;
    } catch (error) {
      if (error instanceof TextIndexLost) return false;
      throw error;
    }
  }

  async beside(): Promise<TextIndexBuild> {
    await this.#removeLeft();
    const index = this.#names.fresh(Date.now());
    const filling = this.#names.whileFilled(index);
    const body = { ...indexBody, aliases: { [filling]: {} } } as object;
    await this.#client.indices.create({ index, body });
    return {
      apply: (changes, readAt) => this.#send(filling, changes, { readAt, refresh: false }),
      takePlace: () => this.#replaceBy(index),
    };
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #send(
    alias: string,
    changes: readonly TextRow[],
    { readAt, refresh }: { readAt: number; refresh: boolean },
  ): Promise<void> {
    if (changes.length === 0) return;
    const { body } = await this.#client.bulk({
      index: alias,
      require_alias: true,
      refresh: refresh ? 'true' : 'false',
      body: changes.flatMap((change) => operationsOf(change, readAt)),
    });
    const refused = checkBulk(body);
    if (refused !== undefined) this.#log.warn(refused, 'OpenSearch refused texts for good');
  }

  /** In one step: nobody finds two of them, or none. */
  async #replaceBy(index: string): Promise<void> {
    const { alias } = this.#names;
    await this.#client.indices.refresh({ index });
    const others = (await this.#indexes({ name: alias })).filter((other) => other !== index);
    const actions = [
      { add: { index, alias } },
      { remove: { index, alias: this.#names.whileFilled(index), must_exist: false } },
      ...others.map((other) => ({ remove_index: { index: other } })),
    ];
    await this.#client.indices.updateAliases({ body: { actions } });
    await this.#count();
  }

  /** Of somebody who did not come to the end. */
  async #removeLeft(): Promise<void> {
    const searched = await this.#indexes({ name: this.#names.alias });
    const all = await this.#indexes({ index: `${this.#names.alias}-*` });
    const left = all.filter(
      (index) => !searched.includes(index) && this.#names.wasLeft(index, Date.now()),
    );
    for (const index of left) {
      await this.#client.indices.delete({ index, ignore_unavailable: true });
    }
  }

  async #indexes(asked: { name: string } | { index: string }): Promise<string[]> {
    try {
      return Object.keys((await this.#client.indices.getAlias(asked)).body);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async #count(): Promise<void> {
    try {
      const { body } = await this.#client.count({ index: this.#names.alias });
      this.#documents = body.count;
    } catch (error) {
      if (isMissing(error)) throw new TextIndexLost(messageOf(error));
      throw error;
    }
  }
}

function operationsOf({ entity, texts }: TextRow, version: number): object[] {
  const key = encodeTuple([entity.type, entity.id]);
  // An id has 512 bytes at most, a type and an id may have more.
  const _id = createHash('sha256').update(key).digest('base64url');
  const target = { _id, version, version_type: 'external_gte' };
  if (texts === undefined || texts.size === 0) return [{ delete: target }];
  const words = [...texts.values()].flatMap(wordsOf).join(' ');
  return [{ index: target }, { key, type: entity.type, words }];
}
