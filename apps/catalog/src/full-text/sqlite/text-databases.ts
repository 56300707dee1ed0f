import { TooManyValues } from './count-hits.ts';
import { SearchCancelled } from './search-cancellation.ts';
import { TextDatabase } from './text-database.ts';
import { TooManyColumns } from './value-columns.ts';
import type { TextResult } from '../text-index.ts';
import type { TextFailure, TextIndexSize, TextRequest, TextSearch } from './text-messages.ts';

/** The files of one replica. */
export interface TextFolder {
  /** @returns the path of a file of this name */
  pathOf(name: string): string;
  deleteFile(name: string): void;
  /** Free bytes on its disk. */
  freeBytes(): number;
  /** Deletes the folder and its files. */
  remove(): void;
}

export interface TextDatabasesOptions {
  folder: TextFolder;
  /** Bytes of one index. */
  maxBytes: number;
}

interface OpenFile {
  database: TextDatabase;
  name: string;
}

/**
 * SQLite's result codes after which a file is of no use: damaged, not a database, or not readable.
 * @see https://www.sqlite.org/rescode.html
 */
const lostCodes: ReadonlySet<number> = new Set([10, 11, 14, 26]);
/** SQLITE_FULL: the limit of pages, or a full disk. */
const fullCode = 13;
/** More than one transaction on the live index adds. */
const maxGrowth = 16 * 1024 * 1024;

/** A failed request; depending on `failure`, the index was deleted. */
export class TextDatabaseFailure extends Error {
  override readonly name = 'TextDatabaseFailure';
  readonly failure: TextFailure;

  constructor(failure: TextFailure, reason: string) {
    super(reason);
    this.failure = failure;
  }
}

/** The live index, and the one being built. */
export class TextDatabases {
  readonly #folder: TextFolder;
  readonly #maxBytes: number;
  #files = 0;
  #live: OpenFile | undefined;
  #build: OpenFile | undefined;

  constructor({ folder, maxBytes }: TextDatabasesOptions) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  get size(): TextIndexSize {
    const { database } = this.#live ?? {};
    return { documents: database?.documents ?? 0, bytes: database?.bytes ?? 0 };
  }

  /** @throws TextDatabaseFailure, SearchCancelled */
  handle(request: TextRequest): TextResult | undefined {
    switch (request.kind) {
      case 'beginBuild':
        this.#beginBuild();
        return undefined;
      case 'apply':
        this.#apply(request);
        return undefined;
      case 'activate':
        this.#activate();
        return undefined;
      case 'search':
        return this.#search(request.search, request.cancelled);
      case 'close':
        this.#close();
        return undefined;
    }
  }

  #beginBuild(): void {
    this.#drop('build');
    const name = `${++this.#files}.db`;
    try {
      const path = this.#folder.pathOf(name);
      this.#build = { database: new TextDatabase(path, { maxBytes: this.#maxBytes }), name };
    } catch (error) {
      this.#folder.deleteFile(name);
      throw error;
    }
    const { database } = this.#build;
    // One transaction for the whole build: nothing reads it before it is complete, and an
    // unfinished build is discarded.
    database.begin();
  }

  #apply({ to, changes }: Extract<TextRequest, { kind: 'apply' }>): void {
    this.#use(to, (database) => {
      if (to === 'live') database.applyAtOnce(changes);
      else database.apply(changes);
    });
  }

  #activate(): void {
    this.#use('build', (database) => database.commit());
    this.#drop('live');
    this.#live = this.#build;
    this.#build = undefined;
  }

  #search(search: TextSearch, cancelled: Int32Array): TextResult {
    const isCancelled = () => Atomics.load(cancelled, 0) !== 0;
    if (isCancelled()) throw new SearchCancelled();
    return this.#use('live', (database) => database.search(search, isCancelled));
  }

  /**
   * Runs the work. A damaged index is deleted, and one that has reached its limit. A full disk ends a build, whose
   * transaction SQLite may have rolled back, but the live index stays: it is as it was before the work.
   */
  #use<T>(role: 'live' | 'build', work: (database: TextDatabase) => T): T {
    const file = role === 'live' ? this.#live : this.#build;
    if (file === undefined) throw new TextDatabaseFailure('lost', 'there is no index');
    try {
      return work(file.database);
    } catch (error) {
      if (error instanceof SearchCancelled) throw error;
      if (error instanceof TooManyValues) {
        throw new TextDatabaseFailure('too many values', error.message);
      }
      const failure = this.#failureOf(error, { role, file });
      if (failure !== 'failed') this.#drop(role);
      throw new TextDatabaseFailure(failure, (error as Error).message);
    }
  }

  #failureOf(error: unknown, { role, file }: { role: 'live' | 'build'; file: OpenFile }) {
    if (error instanceof TooManyColumns) return 'lost';
    // Extended codes have the primary one in their low byte.
    const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
    if (code !== fullCode) return lostCodes.has(code) ? 'lost' : 'failed';
    if (role === 'build') return this.#isBuildLimited() ? 'build full' : 'build failed';
    return this.#isLiveLimited(file) ? 'live full' : 'failed';
  }

  /** SQLite has one error for its limit of pages and for a full disk, and a rollback frees the written pages. */
  #isLiveLimited({ database }: OpenFile): boolean {
    const isNearLimit = database.bytes + maxGrowth >= this.#maxBytes;
    return isNearLimit && this.#folder.freeBytes() >= maxGrowth;
  }

  #isBuildLimited(): boolean {
    return this.#folder.freeBytes() >= this.#maxBytes;
  }

  #drop(role: 'live' | 'build'): void {
    const file = role === 'live' ? this.#live : this.#build;
    if (role === 'live') this.#live = undefined;
    else this.#build = undefined;
    if (file === undefined) return;
    file.database.close();
    this.#folder.deleteFile(file.name);
  }

  #close(): void {
    this.#drop('build');
    this.#drop('live');
    this.#folder.remove();
  }
}
