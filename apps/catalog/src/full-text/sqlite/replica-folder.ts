import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TextFolder } from './text-databases.ts';

const prefix = 'replica-';
const lockName = 'in-use.db';
/** Lock file of the parent folder; never deleted. */
const parentLockName = 'turn.db';
/** Timeout of the parent lock. Others hold it for less than a millisecond, unless they delete large indexes. */
const parentLockTimeoutMs = 30_000;

/**
 * A private folder of this replica, with a lock that shows that it is in use. A killed process leaves its folder;
 * SQLite's lock ends with the process, so the next process that starts deletes the folder.
 */
export class ReplicaFolder implements TextFolder {
  readonly #path: string;
  readonly #parent: string;
  readonly #lock: DatabaseSync;

  /** @throws Error where the folder is not writable */
  constructor(parent: string) {
    mkdirSync(parent, { recursive: true });
    this.#parent = parent;
    [this.#path, this.#lock] = withFolderLock(parent, () => {
      removeAbandoned(parent);
      const path = mkdtempSync(join(parent, prefix));
      return [path, lockOf(path)];
    });
  }

  pathOf(name: string): string {
    return join(this.#path, name);
  }

  deleteFile(name: string): void {
    rmSync(this.pathOf(name), { force: true });
  }

  freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#path);
    return bavail * bsize;
  }

  remove(): void {
    withFolderLock(this.#parent, () => {
      this.#lock.close();
      rmSync(this.#path, { recursive: true, force: true });
    });
  }
}

/** Runs in one process at a time: a new folder has no lock for an instant, and would look abandoned. */
function withFolderLock<Result>(parent: string, work: () => Result): Result {
  const parentLock = lock(join(parent, parentLockName), parentLockTimeoutMs);
  try {
    return work();
  } finally {
    parentLock.close();
  }
}

function removeAbandoned(parent: string): void {
  const names = readdirSync(parent).filter((name) => name.startsWith(prefix));
  for (const name of names) {
    const path = join(parent, name);
    if (!isInUse(path)) rmSync(path, { recursive: true, force: true });
  }
}

function isInUse(path: string): boolean {
  try {
    lockOf(path).close();
    return false;
  } catch (error) {
    // SQLITE_BUSY: https://www.sqlite.org/rescode.html#busy. Any other error is of a file that was left damaged.
    return (error as { errcode?: number }).errcode === 5;
  }
}

/** @throws Error where another process or replica holds the lock */
function lockOf(path: string): DatabaseSync {
  return lock(join(path, lockName), 0);
}

/** @throws Error where the lock is not free within `timeout` milliseconds */
function lock(file: string, timeout: number): DatabaseSync {
  const database = new DatabaseSync(file, { timeout });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
