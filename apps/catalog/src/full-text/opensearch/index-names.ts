import { createHash, randomBytes } from 'node:crypto';

/**
 * The names of one table's indexes: lower case, at most 255 bytes, no two tables the same, nor two installations with a
 * prefix each.
 */
export class IndexNames {
  /** What is searched, and what changes are sent to. */
  readonly alias: string;

  /** @param prefix of letters, digits and hyphens, 40 at most */
  constructor(tableName: string, prefix: string) {
    const print = createHash('sha256').update(tableName).digest('hex').slice(0, 8);
    this.alias = `${prefix}-${tableName.toLowerCase().slice(0, 100)}-${print}-text`;
  }

  fresh(now: number): string {
    return `${this.alias}-${now}-${randomBytes(4).toString('hex')}`;
  }

  /** The alias of an index that is being filled: writing to a name that is gone would make an index of that name. */
  whileFilled(index: string): string {
    return `${index}-filling`;
  }

  /** Whether it is one of `fresh`: with this table and prefix, and no other that begins the same. */
  isOwn(index: string): boolean {
    return index.startsWith(this.alias) && /^-\d+-[\da-f]{8}$/.test(index.slice(this.alias.length));
  }
}
