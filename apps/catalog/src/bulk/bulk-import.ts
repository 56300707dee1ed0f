import { Problem } from '@engawa/errors';
import { inParallel } from '@engawa/http';
import { entityKey } from '@engawa/keys';
import { parseEntity } from '@engawa/model';
import { targetKey } from '../entities/items/entity-items.ts';
import { DeferredEntries } from './deferred-entries.ts';
import type { EntityName } from '@engawa/keys';
import type { Table } from '@engawa/table';
import type { BulkOutcome, BulkWriter, ContentInput, ExistingMode } from './bulk-writer.ts';
import type { DeferredEntry } from './deferred-entries.ts';

/** An entry of the body, with an id. */
export interface BulkEntry {
  line: number;
  name: EntityName;
  given: ContentInput;
}

/** Told the outcome of each entry, or the error. */
export interface BulkListener {
  written(outcome: BulkOutcome): void;
  /** @throws the error where it is not about the entry */
  refused(line: number, error: unknown): void;
}

interface BulkImportOptions {
  table: Table;
  writer: BulkWriter;
  mode: ExistingMode;
  listener: BulkListener;
}

const maxParallelEntries = 16;

/**
 * Writes the entries of one body in any order: an entry whose related entity does not exist yet waits for the end of
 * the body. Entries in a cycle of relations are created without the relations of the cycle, which follow.
 */
export class BulkImport {
  readonly #options: BulkImportOptions;
  readonly #deferred = new DeferredEntries();

  constructor(options: BulkImportOptions) {
    this.#options = options;
  }

  /** To be called in the order of the body. */
  async write(entry: BulkEntry): Promise<void> {
    const { writer, mode, listener } = this.#options;
    try {
      listener.written(await writer.write(entry.name, entry.given, mode));
    } catch (error) {
      if (!isUnrelated(error) || !(await this.#defer(entry, error))) {
        listener.refused(entry.line, error);
      }
    }
  }

  /** Writes the entries that waited for the end of the body. */
  async finish(): Promise<void> {
    const { levels, cyclic } = this.#deferred.order();
    for (const level of levels) {
      await inParallel(level, maxParallelEntries, (entry) => this.#retry(entry));
    }
    if (cyclic.length === 0) return;
    const entries = await this.#complete(cyclic);
    const created = new Set<string>();
    await inParallel(entries, maxParallelEntries, (entry) => this.#begin(entry, entries, created));
    await inParallel(entries, maxParallelEntries, (entry) => this.#end(entry, created));
  }

  async #defer(entry: BulkEntry, error: unknown): Promise<boolean> {
    const related = await this.#options.writer.relatedTo(entry.name, entry.given);
    return this.#deferred.add({ ...entry, related: new Set(related.keys()), error });
  }

  async #retry({ line, name, given }: BulkEntry): Promise<void> {
    const { writer, mode, listener } = this.#options;
    try {
      listener.written(await writer.write(name, given, mode));
    } catch (error) {
      listener.refused(line, error);
    }
  }

  /** The entries all of whose related entities exist or are among them; the others are refused. */
  async #complete(entries: readonly DeferredEntry[]): Promise<DeferredEntry[]> {
    const { listener } = this.#options;
    const existing = await this.#existing(entries);
    let complete = [...entries];
    for (;;) {
      const keys = new Set(complete.map(({ name }) => targetKey(name)));
      const isComplete = ({ related }: DeferredEntry) =>
        [...related].every((key) => keys.has(key) || existing.has(key));
      const [left, refused] = [
        complete.filter(isComplete),
        complete.filter((entry) => !isComplete(entry)),
      ];
      for (const { line, error } of refused) listener.refused(line, error);
      if (refused.length === 0) return left;
      complete = left;
    }
  }

  async #existing(entries: readonly DeferredEntry[]): Promise<Set<string>> {
    const { table, writer } = this.#options;
    const names = new Map<string, EntityName>();
    for (const { name, given } of entries) {
      for (const [key, to] of await writer.relatedTo(name, given)) names.set(key, to);
    }
    const keys = [...names.values()].map(entityKey);
    const { items } = await table.getAll(keys, { consistent: true });
    const found = items.map(parseEntity).filter(({ gone }) => gone !== true);
    return new Set(found.map(targetKey));
  }

  /** Creates an entry without its relations to the others. */
  async #begin(
    { name, given }: DeferredEntry,
    others: readonly DeferredEntry[],
    created: Set<string>,
  ): Promise<void> {
    const without = new Set(others.map((other) => targetKey(other.name)));
    // An error is that of the second write, too.
    const outcome = await this.#options.writer
      .createWithout(name, given, without)
      .catch(() => undefined);
    if (outcome === 'created') created.add(targetKey(name));
  }

  async #end({ line, name, given }: DeferredEntry, created: ReadonlySet<string>): Promise<void> {
    const { writer, mode, listener } = this.#options;
    const isCreated = created.has(targetKey(name));
    try {
      if (isCreated) await writer.addRelations(name, given);
      listener.written(isCreated ? 'created' : await writer.write(name, given, mode));
    } catch (error) {
      listener.refused(line, error);
    }
  }
}

function isUnrelated(error: unknown): boolean {
  return error instanceof Problem && error.code === 'related-entity-not-found';
}
