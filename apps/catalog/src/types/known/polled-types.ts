import { setTimeout as delay } from 'node:timers/promises';
import { entityTypePartition, entityTypesMarkKey, parseKey } from '@engawa/keys';
import { keyOf, parseEntityType } from '@engawa/model';
import { typeNotFound } from './known-types.ts';
import type { Document, EntityType } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { KnownTypes, TypesMemory } from './known-types.ts';

export interface PolledTypesOptions {
  table: Table;
  log: Logger;
  /** Milliseconds between two looks whether a type has changed. */
  intervalMs?: number;
}

/** Milliseconds between two looks for what is not known here. */
const minLookMs = 100;

/** All types in memory; one small read tells whether they are still those of the table. */
export class PolledTypes implements KnownTypes, TypesMemory {
  readonly #options: PolledTypesOptions & { intervalMs: number };
  readonly #closing = new AbortController();
  #types = new Map<string, EntityType>();
  /** What the mark was when the types were read; undefined also where no type was ever declared. */
  #mark: unknown;
  #isRead = false;
  /** When the last look that succeeded began (milliseconds of `performance.now`). */
  #lookedAt = -Infinity;
  /** The same of the last look, whether or not it succeeded. */
  #begunAt = -Infinity;
  #refreshing: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  #isFailing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PolledTypesOptions) {
    this.#options = { intervalMs: 1000, ...options };
  }

  /** Resolves once the types are known, or cannot be known now: then who asks looks again. */
  async start(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#timer = setInterval(() => void this.#tryToLook(), this.#options.intervalMs);
    await this.#tryToLook();
  }

  /** @throws Problem `type-not-found`, or why the types cannot be known */
  async get(name: string): Promise<EntityType> {
    await this.#beYounger(2);
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    // It may have been declared a moment ago, on another replica.
    await this.refresh();
    const found = this.#types.get(name);
    if (found === undefined) throw typeNotFound(name);
    return found;
  }

  async all(): Promise<EntityType[]> {
    await this.#beYounger(2);
    return [...this.#types.values()];
  }

  refresh(): Promise<void> {
    this.#refreshing ??= this.#lookSoon();
    return this.#refreshing;
  }

  async changed(): Promise<void> {
    this.#lookedAt = -Infinity;
    // One that is under way may have begun before the change.
    await this.#looking?.catch(() => undefined);
    this.#lookedAt = -Infinity;
    await this.#tryToLook();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#closing.abort(new Error('the service is closing'));
  }

  async #lookSoon(): Promise<void> {
    try {
      const waitMs = this.#begunAt + minLookMs - performance.now();
      if (waitMs > 0) await delay(waitMs, undefined, { signal: this.#closing.signal });
      // One that is under way may have begun before the question.
      await this.#looking?.catch(() => undefined);
    } finally {
      this.#refreshing = undefined;
    }
    await this.#look();
  }

  /** Looks itself where what is known is older than so many intervals, as it is where the looks fail. */
  async #beYounger(intervals: number): Promise<void> {
    const age = performance.now() - this.#lookedAt;
    if (age > intervals * this.#options.intervalMs) await this.#look();
  }

  async #tryToLook(): Promise<void> {
    try {
      await this.#look();
      if (this.#isFailing) this.#options.log.info('reading entity types has recovered');
      this.#isFailing = false;
    } catch (error) {
      if (this.#closing.signal.aborted || this.#isFailing) return;
      this.#isFailing = true;
      this.#options.log.warn({ err: error }, 'entity-type refresh failed');
    }
  }

  /** One look at a time; who wants another takes part in that. */
  #look(): Promise<void> {
    this.#looking ??= this.#readChanges().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #readChanges(): Promise<void> {
    const { signal } = this.#closing;
    const begun = performance.now();
    this.#begunAt = begun;
    if (this.#isRead) {
      const options = { consistent: true, signal };
      const item = await this.#options.table.get(entityTypesMarkKey, options);
      if (item?.['mark'] !== this.#mark) await this.#readAll();
    } else await this.#readAll();
    this.#lookedAt = begun;
  }

  /** The mark comes first: what changes while the pages are read is found by the next look. */
  async #readAll(): Promise<void> {
    const { signal } = this.#closing;
    const types = new Map<string, EntityType>();
    let mark: unknown;
    let after: PageKey | undefined;
    do {
      const question = { pk: entityTypePartition, consistent: true, ...(after && { after }) };
      const page = await this.#options.table.query({ ...question, signal });
      for (const item of page.items) {
        if (isMark(item)) mark = item['mark'];
        else this.#take(item, types);
      }
      after = page.next;
    } while (after !== undefined);
    this.#types = types;
    this.#mark = mark;
    this.#isRead = true;
  }

  #take(item: Document, types: Map<string, EntityType>): void {
    const type = parseEntityType(item);
    if (type.gone !== true) types.set(type.name, type);
  }
}

function isMark(item: Document): boolean {
  return parseKey(keyOf(item)).item === 'entityTypesMark';
}
