import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FullTextMetrics } from './full-text-metrics.ts';
import { buildingProblem, timeoutProblem, tooLargeProblem } from './full-text-problems.ts';
import { unsharedLease } from './index-lease.ts';
import { indexLeaseKind, SharedIndexLease } from './opensearch/shared-index-lease.ts';
import { SqliteTextIndex } from './sqlite/sqlite-text-index.ts';
import { rebuildItem, rebuildKind } from './text-changes.ts';
import { TextFollower } from './text-follower.ts';
import { queryWords } from './words.ts';
import type { Problem } from '@engawa/errors';
import type { ServiceContext } from '@engawa/service';
import type { Shards, Table } from '@engawa/table';
import { defaultIndexPrefix } from '../config.ts';
import type { Config } from '../config.ts';
import type { TaskHandler } from '../tasks/task-runner.ts';
import type { IndexLease } from './index-lease.ts';
import type { TextResult, TextIndex, TextQuery } from './text-index.ts';

/** Items in the partition of tasks that are not tasks: the runner never completes them. */
export const fullTextTasks: readonly [string, TaskHandler][] = [
  [indexLeaseKind, () => Promise.resolve('later')],
  [rebuildKind, () => Promise.resolve('later')],
];

/**
 * How long a new replica stays unready while its index is built, so that a rollout does not interrupt searches: enough
 * for some hundred thousand texts. After that it serves other requests, and answers searches with 503.
 */
const maxIndexWaitMs = 20_000;

export interface StartFullTextOptions {
  context: ServiceContext<Config>;
  table: Table;
  shards: Shards;
}

/** Starts the full-text index and registers its cleanup with the context. */
export async function startFullText({
  context,
  table,
  shards,
}: StartFullTextOptions): Promise<FullText> {
  const { log, registry, readiness, onClose } = context;
  const { index, lease, close } = await indexOf(context, table);
  onClose('full-text index', close);
  const metrics: FullTextMetrics = new FullTextMetrics(registry, {
    documents: () => index.documents,
    bytes: () => index.bytes,
    asOf: () => follower.asOf,
  });
  const follower: TextFollower = new TextFollower({
    table,
    shards,
    index,
    lease,
    metrics,
    log,
    intervalMs: context.config.FULL_TEXT_REFRESH_MS,
  });
  onClose('full-text follower', () => follower.close());
  follower.start();
  const missing = () => unavailable(follower)?.message;
  readiness.require('fullText', missing, { untilMet: true, forMs: maxIndexWaitMs });
  const timeoutMs = context.config.FULL_TEXT_TIMEOUT_MS;
  return new FullText({ table, index, follower, metrics, timeoutMs });
}

function unavailable({ isFull, asOf }: TextFollower): Problem | undefined {
  if (isFull) return tooLargeProblem();
  return asOf === undefined ? buildingProblem() : undefined;
}

interface TextIndexParts {
  index: TextIndex;
  lease: IndexLease;
  close: () => void | Promise<void>;
}

async function indexOf(
  { config, log }: ServiceContext<Config>,
  table: Table,
): Promise<TextIndexParts> {
  const { SEARCH_URL, SEARCH_INDEX_PREFIX: prefix, FULL_TEXT_REFRESH_MS: intervalMs } = config;
  if (SEARCH_URL === undefined) {
    const index = new SqliteTextIndex({
      folder: config.FULL_TEXT_FOLDER ?? join(tmpdir(), 'engawa-full-text'),
      maxBytes: config.FULL_TEXT_MAX_BYTES,
    });
    return { index, lease: unsharedLease, close: () => index.close() };
  }
  // Loaded only if configured: the client takes 140 ms to load.
  const { openSearchTextIndex } = await import('./opensearch/opensearch-text-index.ts');
  const index = openSearchTextIndex({ url: SEARCH_URL, tableName: table.tableName, prefix, log });
  const { host } = new URL(SEARCH_URL);
  const location = prefix === defaultIndexPrefix ? host : `${host}/${prefix}`;
  const lease = new SharedIndexLease({ table, location, intervalMs });
  return { index, lease, close: () => index.close() };
}

export interface FullTextQuery extends Omit<TextQuery, 'words' | 'lenient'> {
  /** Undefined: lists entities. */
  text: string | undefined;
  /** Whether the search of the previous page was fuzzy. */
  lenient: boolean | undefined;
}

export interface FullTextResult extends TextResult {
  asOf: number;
  /** Whether the search was fuzzy, since an exact one found nothing. */
  lenient: boolean;
}

interface FullTextOptions {
  table: Table;
  index: TextIndex;
  follower: TextFollower;
  metrics: FullTextMetrics;
  /** Timeout of a search in milliseconds. */
  timeoutMs: number;
}

/** Full-text search over entities; the index lags behind the table by about a second. */
export class FullText {
  readonly #options: FullTextOptions;

  constructor(options: FullTextOptions) {
    this.#options = options;
  }

  /**
   * A text without words finds nothing. The result has all changes up to `asOf` (epoch milliseconds).
   * @throws Problem `full-text-unavailable`, `full-text-too-large`, `full-text-timeout`, `overloaded`
   */
  async search({ text, ...query }: FullTextQuery): Promise<FullTextResult> {
    const { follower, timeoutMs, metrics } = this.#options;
    const { asOf = 0 } = follower;
    const problem = unavailable(follower);
    if (problem !== undefined) throw problem;
    const words = text === undefined ? [] : queryWords(text);
    if (text !== undefined && words.length === 0) return { ...nothing(query), asOf };
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([query.signal, limit]);
    try {
      return { ...(await this.#find({ ...query, words, signal })), asOf };
    } catch (error) {
      if (!limit.aborted || query.signal.aborted) throw error;
      metrics.timedOut();
      throw timeoutProblem(timeoutMs);
    }
  }

  async #find({
    lenient,
    ...query
  }: Omit<TextQuery, 'lenient'> & Pick<FullTextQuery, 'lenient'>): Promise<
    Omit<FullTextResult, 'asOf'>
  > {
    const find = async (isLenient: boolean) => ({
      ...(await this.#options.index.search({ ...query, lenient: isLenient })),
      lenient: isLenient,
    });
    if (lenient !== undefined) return find(lenient);
    const answer = await find(false);
    const isFinal = answer.found.length > 0 || query.words.every(({ fuzzy }) => !fuzzy);
    return isFinal ? answer : find(true);
  }

  /** Requests a rebuild from the table by each replica with an index of its own. */
  async rebuild(): Promise<void> {
    await this.#options.table.put(rebuildItem(Date.now()));
  }
}

function nothing({ total, facets }: Pick<TextQuery, 'total' | 'facets'>) {
  return {
    found: [],
    lenient: false,
    ...(total && { total: 0 }),
    ...(facets.length > 0 && {
      facets: facets.map(({ name }) => ({ name, values: [], others: 0 })),
    }),
  };
}
