import { createHash, randomBytes } from 'node:crypto';

/** Milliseconds after which an index that never took its place was left by somebody who did not come to the end. */
const leftAfterMs = 24 * 3_600_000;

/** The names of one table's indexes: lower case, at most 255 bytes, no two tables the same. */
export class IndexNames {
  /** What is searched, and what changes are sent to. */
  readonly alias: string;

  constructor(tableName: string) {
    const print = createHash('sha256').update(tableName).digest('hex').slice(0, 8);
    this.alias = `engawa-${tableName.toLowerCase().slice(0, 100)}-${print}-text`;
  }

  fresh(now: number): string {
    return `${this.alias}-${now}-${randomBytes(4).toString('hex')}`;
  }

  /** The alias of an index that is being filled: writing to a name that is gone would make an index of that name. */
  whileFilled(index: string): string {
    return `${index}-filling`;
  }

  wasLeft(index: string, now: number): boolean {
    const [, madeAt] = /^-(\d+)-[\da-f]{8}$/.exec(index.slice(this.alias.length)) ?? [];
    return (
      index.startsWith(this.alias) && madeAt !== undefined && Number(madeAt) < now - leftAfterMs
    );
  }
}
