import { targetKey } from '../entities/items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { ContentInput } from './bulk-writer.ts';

/** An entry that was refused since a related entity does not exist: it may follow in the body. */
export interface DeferredEntry {
  line: number;
  name: EntityName;
  given: ContentInput;
  /** Keys of the entities that it relates to. */
  related: ReadonlySet<string>;
  /** Why it was refused. */
  error: unknown;
}

/** Bytes of deferred entries in memory, as JSON. */
const maxBytes = 50_000_000;

/** The entries of a body that wait for its end, in the order in which they can be written. */
export class DeferredEntries {
  readonly #entries = new Map<string, DeferredEntry>();
  #bytes = 0;

  /** @returns false where there is no space, or an entry of this id waits already */
  add(entry: DeferredEntry): boolean {
    const key = targetKey(entry.name);
    const bytes = Buffer.byteLength(JSON.stringify(entry.given));
    if (this.#entries.has(key) || this.#bytes + bytes > maxBytes) return false;
    this.#entries.set(key, entry);
    this.#bytes += bytes;
    return true;
  }

  /**
   * The entries in levels, each of which relates only to earlier levels, and the entries of which there is no such
   * order: they are in a cycle of relations, or relate to one that is.
   */
  order(): { levels: DeferredEntry[][]; cyclic: DeferredEntry[] } {
    const waiting = new Map<string, number>();
    const dependents = new Map<string, string[]>();
    for (const [key, { related }] of this.#entries) {
      const others = [...related].filter((other) => other !== key && this.#entries.has(other));
      waiting.set(key, others.length);
      for (const other of others) {
        const known = dependents.get(other);
        if (known === undefined) dependents.set(other, [key]);
        else known.push(key);
      }
    }
    const levels: DeferredEntry[][] = [];
    const cyclic = new Map(this.#entries);
    let ready = [...waiting].flatMap(([key, count]) => (count === 0 ? [key] : []));
    while (ready.length > 0) {
      levels.push(ready.flatMap((key) => this.#entries.get(key) ?? []));
      for (const key of ready) cyclic.delete(key);
      ready = ready.flatMap((key) =>
        (dependents.get(key) ?? []).filter((dependent) => {
          const count = (waiting.get(dependent) ?? 0) - 1;
          waiting.set(dependent, count);
          return count === 0;
        }),
      );
    }
    return { levels, cyclic: [...cyclic.values()] };
  }
}
