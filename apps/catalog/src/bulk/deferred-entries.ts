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
export const maxDeferredBytes = 50_000_000;

/** The entries of a body that wait for its end, in the order in which they can be written. */
export class DeferredEntries {
  readonly #entries = new Map<string, DeferredEntry>();
  #bytes = 0;

  /** @returns false where there is no space, or an entry of this id waits already */
  add(entry: DeferredEntry): boolean {
    const key = targetKey(entry.name);
    const bytes = Buffer.byteLength(JSON.stringify(entry.given));
    if (this.#entries.has(key) || this.#bytes + bytes > maxDeferredBytes) return false;
    this.#entries.set(key, entry);
    this.#bytes += bytes;
    return true;
  }

  /**
   * The entries in levels, each of which relates only to earlier levels, and the entries of which there is no such
   * order: they are in a cycle of relations, or relate to one that is.
   */
  order(): { levels: DeferredEntry[][]; cyclic: DeferredEntry[] } {
    const nodes = this.#nodes();
    const levels: DeferredEntry[][] = [];
    const cyclic = new Set(nodes);
    let ready = nodes.filter(({ waitsFor }) => waitsFor === 0);
    while (ready.length > 0) {
      levels.push(ready.map(({ entry }) => entry));
      for (const node of ready) cyclic.delete(node);
      ready = ready.flatMap(({ dependents }) =>
        dependents.filter((dependent) => {
          dependent.waitsFor -= 1;
          return dependent.waitsFor === 0;
        }),
      );
    }
    return { levels, cyclic: [...cyclic].map(({ entry }) => entry) };
  }

  #nodes(): Node[] {
    const nodes = new Map<string, Node>();
    for (const [key, entry] of this.#entries) {
      nodes.set(key, { entry, waitsFor: 0, dependents: [] });
    }
    for (const [key, node] of nodes) {
      for (const other of node.entry.related) {
        const target = other === key ? undefined : nodes.get(other);
        if (target === undefined) continue;
        target.dependents.push(node);
        node.waitsFor += 1;
      }
    }
    return [...nodes.values()];
  }
}

/** An entry among those that wait. */
interface Node {
  entry: DeferredEntry;
  /** The number of entries that it relates to, and that are not in a level yet. */
  waitsFor: number;
  dependents: Node[];
}
