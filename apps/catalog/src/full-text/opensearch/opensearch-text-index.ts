import { createHash, hash } from 'node:crypto';
import { Client } from '@opensearch-project/opensearch';
import { Problem } from '@engawa/errors';
import { encodeTuple } from '@engawa/keys';
import { messageOf } from '@engawa/service';
import { TextIndexLost } from '../text-index.ts';
import { indexedRow } from '../filter-keys.ts';
import { indexedWords, isIndexed } from '../indexed-words.ts';
import { checkBulk, isMissing } from './bulk-response.ts';
import { IndexNames } from './index-names.ts';
import { readResponse } from './search-response.ts';
import { indexBody, searchBody } from './search-body.ts';
import type { TextRow } from '@engawa/model';
import type { Logger } from 'pino';
import type { TextResult, TextIndex, TextIndexBuild, TextQuery } from '../text-index.ts';

export interface OpenSearchOptions {
  /** With user and password if required. */
  url: string;
  tableName: string;
  /** Prefix of its index names. */
  prefix: string;
  log: Logger;
}

/** Longer than FULL_TEXT_TIMEOUT_MS can be, whose signal cancels a search. */
const searchTimeoutMs = 90_000;
const writeTimeoutMs = 30_000;

/** Creates the index with its client; the URL of the client has no password, so that no error contains it. */
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
 * One index for all replicas, behind an alias. The external version of a document is the time at which it was read from
 * the table: OpenSearch rejects an older version, so any replica may send a change, and repeat it.
 *
 * Tested against OpenSearch 2.19 (TEST_OPENSEARCH_URL), and against a test double where faults need timing.
 */
export class OpenSearchTextIndex implements TextIndex {
  readonly #client: Client;
  readonly #names: IndexNames;
  readonly #log: Logger;
  readonly bytes = 0;
  #documents = 0;

  constructor({
    client,
    tableName,
    prefix,
    log,
  }: Omit<OpenSearchOptions, 'url'> & { client: Client }) {
    this.#client = client;
    this.#names = new IndexNames(tableName, prefix);
    this.#log = log;
  }

  get documents(): number {
    return this.#documents;
  }

  async search({ signal, ...query }: TextQuery): Promise<TextResult> {
    try {
      const body = await this.#query(query, signal).catch((error: unknown) => {
        // The index behind the alias was replaced at this moment.
        if (isMissing(error)) return this.#query(query, signal);
        throw error;
      });
      return readResponse(body, query);
    } catch (error) {
      signal.throwIfAborted();
      const cause = new Error(messageOf(error));
      this.#log.debug({ reason: cause.message }, 'OpenSearch search failed');
      throw new Problem('full-text-unavailable', 'The full-text index does not respond.', {
        cause,
      });
    }
  }

  /** OpenSearch cancels a search whose connection is closed. @throws the abort reason of the signal, too */
  async #query(query: Omit<TextQuery, 'signal'>, signal: AbortSignal) {
    signal.throwIfAborted();
    const body = searchBody(query) as object;
    // All pages from one shard copy: scores differ slightly between copies.
    const { words, types, filters, order } = query;
    const preference = hash('sha256', JSON.stringify([words, types, filters, order]), 'hex');
    const request = { index: this.#names.alias, preference, body };
    const answer = this.#client.search(request, { requestTimeout: searchTimeoutMs });
    // In braces: Node.js treats a rejected promise that a listener returns as an uncaught error.
    const abort = () => {
      answer.abort();
    };
    signal.addEventListener('abort', abort);
    try {
      return (await answer).body;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async apply(changes: readonly TextRow[], readAt: number): Promise<void> {
    await this.#send(this.#names.alias, changes, { readAt, refresh: true });
    await this.#count();
  }

  async exists(): Promise<boolean> {
    try {
      await this.#count();
      return true;
    } catch (error) {
      if (error instanceof TextIndexLost) return false;
      throw error;
    }
  }

  async beginBuild(): Promise<TextIndexBuild> {
    await this.deleteUnfinishedBuilds();
    const index = this.#names.newIndex(Date.now());
    const filling = this.#names.buildAlias(index);
    const body = { ...indexBody, aliases: { [filling]: {} } } as object;
    await this.#client.indices.create({ index, body });
    return {
      apply: (changes, readAt) => this.#send(filling, changes, { readAt, refresh: false }),
      activate: () => this.#replaceBy(index),
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
    if (refused !== undefined) this.#log.warn(refused, 'OpenSearch rejected documents permanently');
  }

  /** Switches the alias atomically: a search always finds exactly one index. */
  async #replaceBy(index: string): Promise<void> {
    const { alias } = this.#names;
    await this.#client.indices.refresh({ index });
    const others = (await this.#indexes({ name: alias })).filter((other) => other !== index);
    const actions = [
      { add: { index, alias } },
      { remove: { index, alias: this.#names.buildAlias(index), must_exist: false } },
      ...others.map((other) => ({ remove_index: { index: other } })),
    ];
    await this.#client.indices.updateAliases({ body: { actions } });
    await this.#count();
  }

  /**
   * A replica that lost the lease during a build loses the index that it builds: its writes go to an alias, so they
   * fail and do not create an index.
   */
  async deleteUnfinishedBuilds(): Promise<void> {
    const searched = await this.#indexes({ name: this.#names.alias });
    if (searched.length > 0) await this.#addMappings();
    const all = await this.#indexes({ index: `${this.#names.alias}-*` });
    const left = all.filter((index) => !searched.includes(index) && this.#names.isOwn(index));
    for (const index of left) {
      await this.#client.indices.delete({ index, ignore_unavailable: true });
    }
  }

  /** Adds fields that the index of an earlier release lacks. */
  async #addMappings(): Promise<void> {
    const { properties } = indexBody.mappings;
    const body = { properties } as object;
    await this.#client.indices.putMapping({ index: this.#names.alias, body });
  }

  async #indexes(request: { name: string } | { index: string }): Promise<string[]> {
    try {
      return Object.keys((await this.#client.indices.getAlias(request)).body);
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

function operationsOf(change: TextRow, version: number): object[] {
  const { entity } = change;
  const key = encodeTuple([entity.type, entity.id]);
  // A document id has at most 512 bytes, type and id of an entity may have more.
  const _id = createHash('sha256').update(key).digest('base64url');
  const target = { _id, version, version_type: 'external_gte' };
  const row = indexedRow(change);
  if (!isIndexed(row)) return [{ delete: target }];
  const words = indexedWords(row);
  const values = Array.from(row.keys ?? [], ([name, key]) => ({ name, key }));
  const document = {
    key,
    type: entity.type,
    ...(words !== undefined && { words }),
    ...(values.length > 0 && { values }),
  };
  return [{ index: target }, document];
}
