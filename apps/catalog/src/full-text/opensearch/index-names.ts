import { createHash, randomBytes } from 'node:crypto';

/** Names of the indexes of one table: lower case, at most 255 bytes, distinct for each table and prefix. */
export class IndexNames {
  /** The alias that is searched and updated. */
  readonly alias: string;

  /** @param prefix of letters, digits and hyphens, 40 at most */
  constructor(tableName: string, prefix: string) {
    const print = createHash('sha256').update(tableName).digest('hex').slice(0, 8);
    this.alias = `${prefix}-${tableName.toLowerCase().slice(0, 100)}-${print}-text`;
  }

  newIndex(now: number): string {
    return `${this.alias}-${now}-${randomBytes(4).toString('hex')}`;
  }

  /** The alias of an index that is being built: writing to a deleted index by its name would create it again. */
  buildAlias(index: string): string {
    return `${index}-filling`;
  }

  /** Whether the name was made by `newIndex` for this table and prefix. */
  isOwn(index: string): boolean {
    return index.startsWith(this.alias) && /^-\d+-[\da-f]{8}$/.test(index.slice(this.alias.length));
  }
}
