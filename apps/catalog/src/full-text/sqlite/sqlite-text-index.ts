import { Problem } from '@engawa/errors';
import { buildingProblem } from '../full-text-problems.ts';
import { indexedRow } from '../filter-keys.ts';
import { TextIndexFull, TextIndexLost } from '../text-index.ts';
import { startTextWorker, TextWorkerThread } from './text-worker-thread.ts';
import type { TextRow } from '@engawa/model';
import type { TextResult, TextIndex, TextIndexBuild, TextQuery } from '../text-index.ts';
import type { TextWorkerData } from './text-messages.ts';
import type { StartWorker } from './text-worker-thread.ts';

export interface SqliteTextIndexOptions extends TextWorkerData {
  startWorker?: StartWorker;
}

/** Size of one write request to the worker, so that a search waits only some milliseconds for it. */
const maxRowsPerRequest = 100;
const maxUnitsPerRequest = 131_072;
/** Searches waiting for the worker. */
const maxWaitingSearches = 64;

/** The index of one replica: SQLite FTS5 in files, in a worker thread, built from the table at each start. */
export class SqliteTextIndex implements TextIndex {
  readonly #data: TextWorkerData;
  readonly #startWorker: StartWorker;
  #thread: TextWorkerThread | undefined;
  #isBuilt = false;
  #searches = 0;
  #isClosed = false;

  constructor({ startWorker = startTextWorker, ...data }: SqliteTextIndexOptions) {
    this.#data = data;
    this.#startWorker = startWorker;
  }

  get documents(): number {
    return this.#thread?.size.documents ?? 0;
  }

  get bytes(): number {
    return this.#thread?.size.bytes ?? 0;
  }

  async search({ signal, ...search }: TextQuery): Promise<TextResult> {
    signal.throwIfAborted();
    const thread = this.#live();
    if (thread === undefined) throw buildingProblem();
    if (this.#searches >= maxWaitingSearches) {
      throw new Problem('overloaded', 'Too many full-text searches are waiting.');
    }
    const cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const aborted: PromiseWithResolvers<never> = Promise.withResolvers();
    const abort = () => {
      Atomics.store(cancelled, 0, 1);
      aborted.reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort);
    this.#searches++;
    const found = thread.request({ kind: 'search', search, cancelled }).finally(() => {
      this.#searches--;
    });
    try {
      return await Promise.race([found, aborted.promise]);
    } catch (error) {
      throw this.#recordLoss(error) === undefined ? error : buildingProblem(error);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async apply(changes: readonly TextRow[]): Promise<void> {
    if (this.#live() === undefined) throw new TextIndexLost('there is no index');
    try {
      await this.#send('live', changes);
    } catch (error) {
      throw this.#recordLoss(error) ?? error;
    }
  }

  exists(): Promise<boolean> {
    return Promise.resolve(this.#live() !== undefined);
  }

  /** Nothing to do: abandoned folders are deleted at the start of a process. */
  deleteUnfinishedBuilds(): Promise<void> {
    return Promise.resolve();
  }

  /** Starts the worker if none is running. */
  async beginBuild(): Promise<TextIndexBuild> {
    if (this.#isClosed) throw new Error('the index is closed');
    if (this.#thread?.isAlive !== true) {
      this.#isBuilt = false;
      this.#thread = new TextWorkerThread(this.#startWorker(this.#data));
    }
    const thread = this.#thread;
    await thread.request({ kind: 'beginBuild' });
    return {
      apply: (changes) => this.#send('build', changes),
      activate: async () => {
        await thread.request({ kind: 'activate' });
        this.#isBuilt = true;
      },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.close();
  }

  #live(): TextWorkerThread | undefined {
    return this.#isBuilt && this.#thread?.isAlive === true ? this.#thread : undefined;
  }

  /** @returns the error if it reports the loss of the live index, which it records */
  #recordLoss(error: unknown): Error | undefined {
    if (!(error instanceof TextIndexLost || error instanceof TextIndexFull)) return undefined;
    this.#isBuilt = false;
    return error;
  }

  async #send(to: 'live' | 'build', changes: readonly TextRow[]): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined) throw new TextIndexLost('there is no thread');
    for (const batch of batchesOf(changes)) {
      await thread.request({ kind: 'apply', to, changes: batch.map(indexedRow) });
    }
  }
}

function* batchesOf(changes: readonly TextRow[]): Generator<TextRow[]> {
  let part: TextRow[] = [];
  let units = 0;
  for (const change of changes) {
    part.push(change);
    for (const text of change.texts?.values() ?? []) units += text.length;
    for (const value of change.values?.values() ?? []) units += String(value).length;
    if (part.length < maxRowsPerRequest && units < maxUnitsPerRequest) continue;
    yield part;
    part = [];
    units = 0;
  }
  if (part.length > 0) yield part;
}
