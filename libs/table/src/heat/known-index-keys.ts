import type { Partition } from '@engawa/heat';
import type { ChargedPart } from '../items/charged-part.ts';

/** Items whose index keys are kept: some 300 bytes each. */
const maxItems = 4096;

/**
 * The index keys of recently updated items, as the table returned them. An update names only the keys that it changes,
 * but DynamoDB throttles it for the unchanged ones as well.
 */
export class KnownIndexKeys {
  readonly #partitions = new Map<string, readonly Partition[]>();

  learn({ id, partitions }: ChargedPart): void {
    if (id === undefined || partitions.length < 2) return;
    this.#partitions.delete(id); // so that the item is the newest
    this.#partitions.set(id, partitions);
    if (this.#partitions.size > maxItems) {
      const [oldest] = this.#partitions.keys();
      if (oldest !== undefined) this.#partitions.delete(oldest);
    }
  }

  /** The part with the index keys that its request does not name, as far as they are known. */
  complete(part: ChargedPart): ChargedPart {
    const { id, partitions, mayHaveUnknownIndexKeys } = part;
    const known =
      mayHaveUnknownIndexKeys && id !== undefined ? this.#partitions.get(id) : undefined;
    if (known === undefined) return part;
    const named = new Set(partitions.map(({ index }) => index));
    const others = known.filter(({ index }) => !named.has(index));
    return { ...part, partitions: [...partitions, ...others], size: () => part.size() };
  }
}
