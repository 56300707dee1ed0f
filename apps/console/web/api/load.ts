import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';

/** Data from a service, as a component shows it. */
export type Loaded<Data> =
  { kind: 'loading' } | { kind: 'ready'; data: Data } | { kind: 'failed'; error: unknown };

export interface Loader<Data> {
  state: ReadonlySignal<Loaded<Data>>;
  /** Loads again; data that is shown stays until the new data is there. */
  reload: () => Promise<void>;
}

/** Loads data with a function; the last call wins. */
export function loader<Data>(load: (signal: AbortSignal) => Promise<Data>): Loader<Data> {
  const state = signal<Loaded<Data>>({ kind: 'loading' });
  let current: AbortController | undefined;
  const reload = async (): Promise<void> => {
    current?.abort();
    const own = (current = new AbortController());
    if (state.peek().kind === 'failed') state.value = { kind: 'loading' };
    try {
      const data = await load(own.signal);
      if (!own.signal.aborted) state.value = { kind: 'ready', data };
    } catch (error) {
      if (!own.signal.aborted) state.value = { kind: 'failed', error };
    }
  };
  return { state, reload };
}

interface ListPage<Item> {
  items: Item[];
  cursor?: string | undefined;
}

/** All items of a list, page by page: a method of `api`, called with each cursor. @param maxItems a bound on memory */
export async function allPages<Item>(
  page: (cursor: string | undefined) => Promise<{ body: ListPage<Item> }>,
  maxItems = 20_000,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const { body: next } = await page(cursor);
    items.push(...next.items);
    cursor = next.cursor;
  } while (cursor !== undefined && items.length < maxItems);
  return items;
}
