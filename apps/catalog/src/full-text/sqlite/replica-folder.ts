import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const prefix = 'replica-';
const lockName = 'in-use.db';

/**
 * A folder of this replica alone, and a lock by which others see that it is in use. A process that was killed leaves its
 * folder; SQLite's lock ends with the process, so the next one that starts deletes it.
 */
export class ReplicaFolder {
  readonly path: string;
  readonly #lock: DatabaseSync;

  /** @throws Error where the folder cannot be written */
  constructor(parent: string) {
    mkdirSync(parent, { recursive: true });
    removeAbandoned(parent);
    this.path = mkdtempSync(join(parent, prefix));
    // Another process could delete the folder in this instant: opening a file in it then fails, and the worker starts again.
    this.#lock = lockOf(this.path);
  }

  remove(): void {
    this.#lock.close();
    rmSync(this.path, { recursive: true, force: true });
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

/** @throws Error where another process, or another replica of this one, has the lock */
function lockOf(path: string): DatabaseSync {
  const lock = new DatabaseSync(join(path, lockName), { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}
