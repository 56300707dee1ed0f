import { setTimeout as delay } from 'node:timers/promises';
import { entityTypePartition, entityTypesMarkKey, parseKey } from '@engawa/keys';
import { keyOf, parseEntityType } from '@engawa/model';
import { queryPages } from '@engawa/table';
import { typeNotFound } from './known-types.ts';
import type { Document, EntityType } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { KnownTypes, TypesMemory } from './known-types.ts';

export interface PolledTypesOptions {
  table: Table;
  log: Logger;
  /** Milliseconds between two polls. */
  intervalMs?: number;
}

/** Between two polls for types that the cache does not have. */
const minPollMs = 100;

/** Caches all types; one small read tells whether the table has changed. */
export class PolledTypes implements KnownTypes, TypesMemory {
  readonly #options: PolledTypesOptions & { intervalMs: number };
  readonly #closing = new AbortController();
  #types = new Map<string, EntityType>();
  /** The change mark when the types were read; undefined also if no type was ever declared. */
  #mark: unknown;
  #isRead = false;
  /** When the last successful poll began (milliseconds of `performance.now`). */
  #polledAt = -Infinity;
  /** When the last poll began, successful or not. */
  #lastPollAt = -Infinity;
  #refreshing: Promise<void> | undefined;
  #polling: Promise<void> | undefined;
  #isFailing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PolledTypesOptions) {
    this.#options = { intervalMs: 1000, ...options };
  }

  /** Resolves after the first poll; if it failed, the next call of `get` polls again. */
  async start(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#timer = setInterval(() => void this.#tryToPoll(), this.#options.intervalMs);
    await this.#tryToPoll();
  }

  /** @throws Problem `type-not-found`, or the error of the poll */
  async get(name: string): Promise<EntityType> {
    await this.#refreshIfOlder(2);
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    // Another replica may have declared it a moment ago.
    await this.refresh();
    const found = this.#types.get(name);
    if (found === undefined) throw typeNotFound(name);
    return found;
  }

  async all(): Promise<EntityType[]> {
    await this.#refreshIfOlder(2);
    return [...this.#types.values()];
  }

  refresh(): Promise<void> {
    this.#refreshing ??= this.#pollSoon();
    return this.#refreshing;
  }

  async changed(): Promise<void> {
    this.#polledAt = -Infinity;
    // A running poll may have begun before the change.
    await this.#polling?.catch(() => undefined);
    this.#polledAt = -Infinity;
    await this.#tryToPoll();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#closing.abort(new Error('the service is closing'));
  }

  async #pollSoon(): Promise<void> {
    try {
      const waitMs = this.#lastPollAt + minPollMs - performance.now();
      if (waitMs > 0) await delay(waitMs, undefined, { signal: this.#closing.signal });
      // A running poll may have begun before this call.
      await this.#polling?.catch(() => undefined);
    } finally {
      this.#refreshing = undefined;
    }
    await this.#poll();
  }

  /** Polls if the cache is older than this number of intervals, because the background polls fail. */
  async #refreshIfOlder(intervals: number): Promise<void> {
    const age = performance.now() - this.#polledAt;
    if (age > intervals * this.#options.intervalMs) await this.#poll();
  }

  async #tryToPoll(): Promise<void> {
    try {
      await this.#poll();
      if (this.#isFailing) this.#options.log.info('reading entity types has recovered');
      this.#isFailing = false;
    } catch (error) {
      if (this.#closing.signal.aborted || this.#isFailing) return;
      this.#isFailing = true;
      this.#options.log.warn({ err: error }, 'entity-type refresh failed');
    }
  }

  /** One poll at a time, shared by concurrent callers. */
  #poll(): Promise<void> {
    this.#polling ??= this.#readChanges().finally(() => (this.#polling = undefined));
    return this.#polling;
  }

  async #readChanges(): Promise<void> {
    const { signal } = this.#closing;
    const begun = performance.now();
    this.#lastPollAt = begun;
    if (this.#isRead) {
      const options = { consistent: true, signal };
      const item = await this.#options.table.get(entityTypesMarkKey, options);
      if (item?.['mark'] !== this.#mark) await this.#readAll();
    } else await this.#readAll();
    this.#polledAt = begun;
  }

  /** The mark is on the first page: the next poll finds changes made while the pages are read. */
  async #readAll(): Promise<void> {
    const { signal } = this.#closing;
    const types = new Map<string, EntityType>();
    let mark: unknown;
    const request = { pk: entityTypePartition, consistent: true, signal };
    for await (const page of queryPages(this.#options.table, request)) {
      for (const item of page.items) {
        if (isMark(item)) mark = item['mark'];
        else this.#take(item, types);
      }
    }
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
