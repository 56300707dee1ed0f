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
   * The entries in an order in which each follows those that it relates to, and the entries of which there is no such
   * order: they are in a cycle of relations, or relate to one that is.
   */
  order(): { ordered: DeferredEntry[]; cyclic: DeferredEntry[] } {
    const waiting = new Map<string, number>();
    const dependents = new Map<string, string[]>();
    for (const [key, { related }] of this.#entries) {
      const others = [...related].filter((other) => other !== key && this.#entries.has(other));
      waiting.set(key, others.length);
      for (const other of others) dependents.set(other, [...(dependents.get(other) ?? []), key]);
    }
    const ready = [...waiting].flatMap(([key, count]) => (count === 0 ? [key] : []));
    for (const key of ready) {
      for (const dependent of dependents.get(key) ?? []) {
        const count = (waiting.get(dependent) ?? 0) - 1;
        waiting.set(dependent, count);
        if (count === 0) ready.push(dependent);
      }
    }
    const isReady = new Set(ready);
    const entries = [...this.#entries];
    return {
      ordered: ready.flatMap((key) => this.#entries.get(key) ?? []),
      cyclic: entries.flatMap(([key, entry]) => (isReady.has(key) ? [] : [entry])),
    };
  }
}
