import { batch, signal } from '@preact/signals';
import { api } from '../../../api/client.ts';
import type { ItemsPage, ItemsRequest, TableItem } from './items-request.ts';

/** What has been read, and what it consumed. */
export interface ItemsResult {
  request: ItemsRequest;
  items: readonly TableItem[];
  projection: ItemsPage['projection'];
  consumed: ItemsPage['consumed'];
  cursor: string | undefined;
}

export type PriceState =
  | { kind: 'none' }
  | { kind: 'loading' }
  | { kind: 'ready'; price: ItemsPage['price']; families: readonly string[] }
  | { kind: 'failed'; error: unknown };

/** Milliseconds after the last key press until the price is requested. */
const priceDelayMs = 200;

/** The price and the result of one request. */
export class ItemsStore {
  readonly price = signal<PriceState>({ kind: 'none' });
  readonly result = signal<ItemsResult | undefined>(undefined);
  readonly error = signal<unknown>(undefined);
  readonly isReading = signal(false);
  #pricing: AbortController | undefined;
  #priceTimer: ReturnType<typeof setTimeout> | undefined;
  #reading: AbortController | undefined;

  /** Shows the price of a request soon; it costs no request to DynamoDB. */
  showPrice(request: ItemsRequest | undefined): void {
    clearTimeout(this.#priceTimer);
    this.#pricing?.abort();
    if (request === undefined) {
      this.price.value = { kind: 'none' };
      return;
    }
    if (this.price.peek().kind !== 'ready') this.price.value = { kind: 'loading' };
    this.#priceTimer = setTimeout(() => void this.#loadPrice(request), priceDelayMs);
  }

  /** Reads the first page. */
  async read(request: ItemsRequest): Promise<void> {
    await this.#read(request, undefined);
  }

  /** Reads the page after the shown ones. */
  async readNext(): Promise<void> {
    const shown = this.result.peek();
    if (shown?.cursor !== undefined) await this.#read(shown.request, shown);
  }

  close(): void {
    clearTimeout(this.#priceTimer);
    this.#pricing?.abort();
    this.#reading?.abort();
  }

  async #loadPrice(request: ItemsRequest): Promise<void> {
    const own = (this.#pricing = new AbortController());
    const { signal: aborted } = own;
    try {
      const { body } = await api.query.getTableItems(
        { ...request, dryRun: true },
        { signal: aborted },
      );
      if (!aborted.aborted) {
        this.price.value = { kind: 'ready', price: body.price, families: body.families };
      }
    } catch (error) {
      if (!aborted.aborted) this.price.value = { kind: 'failed', error };
    }
  }

  async #read(request: ItemsRequest, shown: ItemsResult | undefined): Promise<void> {
    this.#reading?.abort();
    const own = (this.#reading = new AbortController());
    this.isReading.value = true;
    try {
      const cursor = shown?.cursor;
      const { body } = await api.query.getTableItems(
        { ...request, ...(cursor !== undefined && { cursor }) },
        { signal: own.signal },
      );
      if (own.signal.aborted) return;
      batch(() => {
        this.error.value = undefined;
        this.result.value = added(request, shown, body);
        this.isReading.value = false;
      });
    } catch (error) {
      if (own.signal.aborted) return;
      batch(() => {
        this.error.value = error;
        this.isReading.value = false;
      });
    }
  }
}

function added(
  request: ItemsRequest,
  shown: ItemsResult | undefined,
  { items, projection, consumed, cursor }: ItemsPage,
): ItemsResult {
  return {
    request,
    items: [...(shown?.items ?? []), ...items],
    projection,
    consumed: {
      units: (shown?.consumed.units ?? 0) + consumed.units,
      requests: (shown?.consumed.requests ?? 0) + consumed.requests,
      isReported: consumed.isReported && (shown?.consumed.isReported ?? true),
    },
    cursor,
  };
}
