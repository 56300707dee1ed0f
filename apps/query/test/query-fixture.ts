import { expectAnswer } from '@engawa/http';
import { blockItem, deviceItem, packReadings, spanOf } from '@engawa/model';
import { startService } from '@engawa/service';
import { connectTable, ensureTable, TableMetrics } from '@engawa/table';
import { aDevice, ListeningPorts, metricValue, startTable } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import * as query from '../src/start.ts';
import type { OpenApiDocument } from '@engawa/http';
import type { Key } from '@engawa/keys';
import type { Device, Reading } from '@engawa/model';
import type { Table } from '@engawa/table';

export interface Answer {
  status: number;
  /** As it came, numbers to the digit. */
  text: string;
  /** Checked against the contract that the service publishes. */
  body: unknown;
}

interface Placed {
  id: string;
  device?: Partial<Device>;
  /** Each list is a block. */
  blocks?: readonly Reading[][];
  /** Epoch seconds. */
  ttl?: number;
}

/** The service as it is started, on free ports, over a table of the embedded engine. */
export class QueryFixture {
  readonly #table: Table;
  readonly #api: string;
  readonly #metrics: string;
  readonly #contract: OpenApiDocument;
  readonly #closers: (() => unknown)[];

  static async open(): Promise<QueryFixture> {
    const log = pino({ enabled: false });
    const started = await startTable(ensureTable);
    const metrics = new TableMetrics(new Registry());
    const table = connectTable({ ...started.location, metrics, log });
    const ports = new ListeningPorts();
    const service = await startService({
      name: 'query',
      module: query,
      environment: { ...started.environment, PORT: '0', METRICS_PORT: '0' },
      logDestination: ports,
    });
    const api = ports.url('PORT');
    const contract = (await (await fetch(`${api}/openapi.json`)).json()) as OpenApiDocument;
    return new QueryFixture(table, api, ports.url('METRICS_PORT'), contract, [
      () => service.close(),
      () => table.close(),
      () => started.close(),
    ]);
  }

  private constructor(
    table: Table,
    api: string,
    metrics: string,
    contract: OpenApiDocument,
    closers: (() => unknown)[],
  ) {
    this.#table = table;
    this.#api = api;
    this.#metrics = metrics;
    this.#contract = contract;
    this.#closers = closers;
  }

  /** Stores a device and blocks of it as ingestion does. */
  async place({ id, device = {}, blocks = [], ttl }: Placed): Promise<void> {
    const span = Math.max(0, ...blocks.map(spanOf));
    const item = deviceItem(aDevice({ id, span, ...device }), { list: 1, seen: 1 });
    const writer = this.#table.batchWriter();
    const items = blocks.map((readings) =>
      blockItem({ device: id, readings, ...(ttl !== undefined && { ttl }) }),
    );
    await Promise.all([item, ...items].map((each) => writer.put(each)));
    writer.close();
  }

  /** Any other item. */
  put(key: Key): Promise<void> {
    return this.#table.put({ ...key });
  }

  async ask(path: string): Promise<Answer> {
    const answer = await fetch(this.#api + path);
    const text = await answer.clone().text();
    return { status: answer.status, text, body: await expectAnswer(this.#contract, answer) };
  }

  /** All pages of `readings`, from the first to the last. */
  async walk(id: string, parameters: Record<string, string>): Promise<ReadingsPage[]> {
    const pages: ReadingsPage[] = [];
    let cursor: string | undefined;
    do {
      const search = new URLSearchParams({ ...parameters, ...(cursor && { cursor }) });
      const path = `/v1/devices/${encodeURIComponent(id)}/readings?${search.toString()}`;
      const page = (await this.ask(path)).body as ReadingsPage;
      pages.push(page);
      cursor = page.cursor;
    } while (cursor !== undefined);
    return pages;
  }

  /** The DynamoDB requests of an operation that the service has made while `action` ran. */
  async requestsOf(operation: string, action: () => Promise<unknown>): Promise<number> {
    const count = () => metricValue(this.#metrics, 'engawa_table_attempts_total', { operation });
    const before = await count();
    await action();
    return (await count()) - before;
  }

  async close(): Promise<void> {
    for (const close of this.#closers) await close();
  }
}

export interface ReadingsPage {
  readings: { time: string; fields: Record<string, unknown> }[];
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
