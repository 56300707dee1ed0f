import { Problem } from '@engawa/errors';
import { EmbeddedTextIndex } from './embedded-text-index.ts';
import { FullTextMetrics } from './full-text-metrics.ts';
import { alwaysMine } from './index-turn.ts';
import { indexTurnKind, SharedIndexTurn } from './opensearch/shared-index-turn.ts';
import { rebuildItem, rebuildKind } from './text-changes.ts';
import { TextFollower } from './text-follower.ts';
import { askedWords } from './words.ts';
import type { ServiceContext } from '@engawa/service';
import type { Shards, Table } from '@engawa/table';
import type { Config } from '../config.ts';
import type { TaskHandler } from '../tasks/task-runner.ts';
import type { IndexTurn } from './index-turn.ts';
import type { FoundEntity, TextIndex, TextQuestion } from './text-index.ts';

/** What stands among the tasks and is none: for the runner of tasks, something that there is always more of. */
export const fullTextNotes: readonly [string, TaskHandler][] = [
  [indexTurnKind, () => Promise.resolve('later')],
  [rebuildKind, () => Promise.resolve('later')],
];

const indexMissing = 'The full-text index is still being made from the table.';

/**
 * Milliseconds for which a new replica is not ready while its index is made: so a rollout does not interrupt searches. After
 * that it serves everything else, and answers searches with 503.
 */
const maxIndexWaitMs = 120_000;

export interface StartFullTextOptions {
  context: ServiceContext<Config>;
  table: Table;
  shards: Shards;
}

/** Registers what has to be closed with the context. */
export async function startFullText({
  context,
  table,
  shards,
}: StartFullTextOptions): Promise<FullText> {
  const { log, registry, readiness, onClose } = context;
  const { index, turn, close } = await indexOf(context, table);
  onClose('full-text index', close);
  const follower: TextFollower = new TextFollower({
    table,
    shards,
    index,
    turn,
    metrics: new FullTextMetrics(registry, {
      documents: () => index.documents,
      asOf: () => follower.asOf,
    }),
    log,
    intervalMs: context.config.FULL_TEXT_REFRESH_MS,
  });
  onClose('full-text follower', () => follower.close());
  follower.start();
  const missing = () => (follower.asOf === undefined ? indexMissing : undefined);
  readiness.require('fullText', missing, { untilMet: true, forMs: maxIndexWaitMs });
  return new FullText({ table, index, follower });
}

interface Parts {
  index: TextIndex;
  turn: IndexTurn;
  close: () => void | Promise<void>;
}

async function indexOf({ config, log }: ServiceContext<Config>, table: Table): Promise<Parts> {
  const { SEARCH_URL, FULL_TEXT_REFRESH_MS: intervalMs } = config;
  if (SEARCH_URL === undefined) {
    return { index: new EmbeddedTextIndex(), turn: alwaysMine, close: () => undefined };
  }
  // Its client takes 140 ms to load, which whoever has none should not wait for.
  const { openSearchTextIndex } = await import('./opensearch/opensearch-text-index.ts');
  const index = openSearchTextIndex({ url: SEARCH_URL, tableName: table.tableName, log });
  const turn = new SharedIndexTurn({ table, where: new URL(SEARCH_URL).host, intervalMs });
  return { index, turn, close: () => index.close() };
}

export interface Asked extends Pick<TextQuestion, 'types' | 'limit' | 'signal'> {
  text: string;
}

/** The entities in whose texts words are, as they were at most a little while ago. */
export class FullText {
  readonly #options: { table: Table; index: TextIndex; follower: TextFollower };

  constructor(options: { table: Table; index: TextIndex; follower: TextFollower }) {
    this.#options = options;
  }

  /**
   * The best first; nothing where the text has no words. What was stored by `asOf` (epoch milliseconds) is found.
   * @throws Problem `full-text-unavailable`
   */
  async search({ text, ...asked }: Asked): Promise<{ found: FoundEntity[]; asOf: number }> {
    const { index, follower } = this.#options;
    const { asOf } = follower;
    if (asOf === undefined) {
      throw new Problem('full-text-unavailable', indexMissing);
    }
    const words = askedWords(text);
    if (words.length === 0) return { found: [], asOf };
    const found = await index.search({ ...asked, words, lenient: false });
    if (found.length > 0 || words.every(({ mayDiffer }) => !mayDiffer)) return { found, asOf };
    return { found: await index.search({ ...asked, words, lenient: true }), asOf };
  }

  /** Has the index made anew from the table, by each replica that has one. */
  async rebuild(): Promise<void> {
    await this.#options.table.put(rebuildItem(Date.now()));
  }
}
