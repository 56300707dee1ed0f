import { contractOf, expectResponse } from '@engawa/http';
import { membershipItem, packReadings } from '@engawa/model';
import { startService } from '@engawa/service';
import { connectTable, ensureTable, TableMetrics } from '@engawa/table';
import { askEngine, ListeningPorts, metricValue, startTable } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import * as query from '../src/start.ts';
import { itemsOf } from './placed-device.ts';
import type { OpenApiDocument } from '@engawa/http';
import type { Key } from '@engawa/keys';
import type { Membership, Reading } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { TestTableLocation } from '@engawa/testing';
import type { PlacedDevice } from './placed-device.ts';

export interface TestResponse {
  status: number;
  /** As it came, numbers to the digit. */
  text: string;
  /** Checked against the contract that the service publishes. */
  body: unknown;
}

/** The service as it is started, on free ports, over a table of the embedded engine. */
export class QueryFixture {
  readonly #table: Table;
  readonly #location: TestTableLocation;
  readonly #api: string;
  readonly #metrics: string;
  readonly #contract: OpenApiDocument;
  readonly #closers: (() => unknown)[];
  #blocks = 0;

  /**
   * @param environment settings
   * @param now monotonic milliseconds; they stand still where they are not given: what is believed
   * for some seconds is believed for as long as a busy machine takes
   */
  static async open(
    environment: Record<string, string> = {},
    now: () => number = () => 0,
  ): Promise<QueryFixture> {
    const log = pino({ enabled: false });
    const started = await startTable(ensureTable);
    const metrics = new TableMetrics(new Registry());
    const table = connectTable({ ...started.location, metrics, log });
    const ports = new ListeningPorts();
    const service = await startService({
      name: 'query',
      module: query,
      environment: {
        ...started.environment,
        PORT: '0',
        METRICS_PORT: '0',
        // Few enough to be reached by a test.
        REQUEST_UNIT_LIMIT: '1000',
        RATE_LIMIT_PER_MINUTE: '0',
        ...environment,
      },
      logDestination: ports,
      now,
    });
    const api = ports.url('PORT');
    const contract = await contractOf(api);
    return new QueryFixture(table, started.location, api, ports.url('METRICS_PORT'), contract, [
      () => service.close(),
      () => table.close(),
      () => started.close(),
    ]);
  }

  private constructor(
    table: Table,
    location: TestTableLocation,
    api: string,
    metrics: string,
    contract: OpenApiDocument,
    closers: (() => unknown)[],
  ) {
    this.#table = table;
    this.#location = location;
    this.#api = api;
    this.#metrics = metrics;
    this.#contract = contract;
    this.#closers = closers;
  }

  /** Stores a device and blocks of it as ingestion does. */
  async place(placed: PlacedDevice): Promise<void> {
    const writer = this.#table.batchWriter();
    const items = itemsOf(placed, () => ++this.#blocks);
    await Promise.all(items.map((item) => writer.put(item)));
    writer.close();
  }

  /** Any other item. */
  put(item: object): Promise<void> {
    return this.#table.put({ ...item });
  }

  async putAll(items: readonly object[]): Promise<void> {
    const writer = this.#table.batchWriter();
    await Promise.all(items.map((item) => writer.put({ ...item })));
    writer.close();
  }

  /** An item of another writer, in DynamoDB's JSON, with types that no item of the service has. */
  async putRaw(Item: object): Promise<void> {
    const { tableName: TableName, endpoint } = this.#location;
    await askEngine(endpoint, 'PutItem', { TableName, Item });
  }

  async deletePartition(pk: string): Promise<void> {
    const { items } = await this.#table.query({ pk });
    for (const item of items) await this.delete(item as object as Key);
  }

  async delete({ pk, sk }: Key): Promise<void> {
    await this.#table.delete({ pk, sk });
  }

  /** Has a device be in a room of a place, as the registry does it. */
  async settle({ room, ...membership }: Membership): Promise<void> {
    await this.put(membershipItem(membership));
    if (room !== undefined) await this.put(membershipItem({ ...membership, room }));
  }

  async ask(path: string, headers: Record<string, string> = {}): Promise<TestResponse> {
    const answer = await fetch(this.#api + path, { headers });
    const text = await answer.clone().text();
    return { status: answer.status, text, body: await expectResponse(this.#contract, answer) };
  }

  /** Without a look at the contract. */
  async askPlainly(path: string): Promise<{ status: number; text: string }> {
    const answer = await fetch(this.#api + path);
    return { status: answer.status, text: await answer.text() };
  }

  /** An answer in another form than JSON. */
  async askFor(
    type: string,
    path: string,
  ): Promise<{ status: number; type: string; text: string }> {
    const answer = await fetch(this.#api + path, { headers: { accept: type } });
    const given = answer.headers.get('content-type') ?? '';
    return { status: answer.status, type: given.split(';')[0] ?? '', text: await answer.text() };
  }

  /** The headers that an answer in another form than JSON has. */
  async head(accept: string, path: string): Promise<{ status: number; type: string }> {
    const answer = await fetch(this.#api + path, { method: 'HEAD', headers: { accept } });
    const given = answer.headers.get('content-type') ?? '';
    return { status: answer.status, type: given.split(';')[0] ?? '' };
  }

  /** All pages of a device's readings, from the first to the last. */
  walk(id: string, parameters: Record<string, string>): Promise<ReadingsPage[]> {
    return this.walkAll<ReadingsPage>(`/v1/devices/${encodeURIComponent(id)}/readings`, parameters);
  }

  async walkAll<Page extends { cursor?: string }>(
    address: string,
    parameters: Record<string, string>,
  ): Promise<Page[]> {
    const pages: Page[] = [];
    let cursor: string | undefined;
    do {
      const search = new URLSearchParams({ ...parameters, ...(cursor && { cursor }) });
      const page = (await this.ask(`${address}?${search.toString()}`)).body as Page;
      pages.push(page);
      if (pages.length > 1000) throw new Error('a walk without end');
      cursor = page.cursor;
    } while (cursor !== undefined);
    return pages;
  }

  /** The DynamoDB requests of an operation that the service has made while `action` ran. */
  async requestsOf(operation: string, action: () => Promise<unknown>): Promise<number> {
    const name = 'engawa_table_attempts_total';
    // An attempt that a busy machine delayed is made again, and is no more than one request.
    const timeout = { operation, outcome: 'timeout' };
    const count = async () =>
      (await metricValue(this.#metrics, name, { operation })) -
      (await metricValue(this.#metrics, name, timeout));
    const before = await count();
    await action();
    return (await count()) - before;
  }

  /** The read units that the service has used while `action` ran. */
  async readUnitsOf(action: () => Promise<unknown>): Promise<number> {
    const name = 'engawa_table_consumed_units_total';
    const count = () => metricValue(this.#metrics, name, { unit: 'read' });
    const before = await count();
    await action();
    return (await count()) - before;
  }

  /** The value of a metric of the service, with these labels. */
  metric(name: string, labels: Record<string, string> = {}): Promise<number> {
    return metricValue(this.#metrics, name, labels);
  }

  async close(): Promise<void> {
    for (const close of this.#closers) await close();
  }
}

export interface ReadingsPage {
  /** `device` where they are of several. */
  items: { device?: string; time: string; fields: Record<string, unknown> }[];
  cursor?: string;
}

export interface LatestPage {
  items: { device: { id: string }; readings: ReadingsPage['items'] }[];
  missing?: string[];
  cursor?: string;
}

/** As ingestion packs them. */
export function packed(readings: readonly Reading[]): Reading[][] {
  return packReadings('climate-1', readings);
}

/** Each in a block of its own. */
export function single(readings: readonly Reading[]): Reading[][] {
  return readings.map((reading) => [reading]);
}
