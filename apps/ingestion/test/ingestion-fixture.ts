import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBroker, startDynamoDb } from '@engawa/embedded';
import { contractOf, expectResponse } from '@engawa/http';
import { devicePartition } from '@engawa/keys';
import { blockReadings, isBlockItem, sortedUnique } from '@engawa/model';
import { startService } from '@engawa/service';
import { connectTable, ensureTable, queryAll, TableMetrics } from '@engawa/table';
import { ListeningPorts, openDynamoDb, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import * as ingestion from '../src/start.ts';
import { TableProxy } from './table-proxy.ts';
import type { DynamoDb } from '@engawa/embedded';
import type { OpenApiDocument } from '@engawa/http';
import type { Document, Reading } from '@engawa/model';
import type { RunningService } from '@engawa/service';
import type { Table } from '@engawa/table';
import type { MqttClient } from 'mqtt';

/** The reason why a test needs the embedded engine. */
export const restarts = 'stops and restarts the engine';

type Service = RunningService<unknown>;

export interface TestResponse {
  status: number;
  headers: Headers;
  /** Checked against the contract that the service publishes. */
  body: unknown;
}

/** A broker, a table, ingestion between them, and a device that publishes. */
export class IngestionFixture {
  readonly table: Table;
  readonly device: MqttClient;
  /** Settings of the service, unless they are overridden. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #closers: (() => unknown)[] = [];
  #dynamo: DynamoDb | undefined;
  #dataFile = '';
  #ports = new ListeningPorts();
  /** Of the running service. */
  #contract: OpenApiDocument | undefined;
  /** Log lines of all started services. */
  readonly logged: string[] = [];
  service: Service | undefined;

  static async open(): Promise<IngestionFixture> {
    const folder = mkdtempSync(join(tmpdir(), 'engawa-ingestion-'));
    const dataFile = join(folder, 'table.sqlite');
    const [dynamo, broker] = await Promise.all([openDynamoDb({ dataFile }), startBroker()]);
    const location = {
      tableName: dynamo.tableNamed('engawa'),
      region: 'local',
      endpoint: dynamo.endpoint,
      timeoutMs: 60_000,
    };
    await ensureTable(location);
    const metrics = new TableMetrics(new Registry());
    const table = connectTable({ ...location, metrics, log: pino({ level: 'silent' }) });
    const device = await connectAsync(broker.url);
    const fixture = new IngestionFixture(table, device, {
      PORT: '0',
      METRICS_PORT: '0',
      TABLE_NAME: location.tableName,
      DYNAMODB_ENDPOINT: dynamo.endpoint,
      // Delays of a busy machine must not cause retries, which would be counted.
      DYNAMODB_TIMEOUT_MS: '60000',
      AWS_REGION: 'local',
      MQTT_URL: broker.url,
      MQTT_VERSION: '3.1.1',
      MQTT_CLIENT_ID: 'ingestion-0',
      LINGER_MS: '20,contact=0',
      SHUTDOWN_TIMEOUT_MS: '1000',
    });
    fixture.#dynamo = dynamo;
    fixture.#dataFile = dataFile;
    fixture.#closers.push(
      () => rmSync(folder, { recursive: true }),
      () => fixture.#dynamo?.close(),
      () => broker.close(),
      () => table.close(),
      () => device.endAsync(),
    );
    return fixture;
  }

  private constructor(table: Table, device: MqttClient, environment: Record<string, string>) {
    this.table = table;
    this.device = device;
    this.environment = environment;
  }

  /** @param now monotonic milliseconds; by default those of the process */
  async start(overrides: Record<string, string> = {}, now?: () => number): Promise<Service> {
    const service = await this.launch(overrides, now);
    await until(
      'a ready service',
      () => service.context.readiness.unavailableReasons().length === 0,
    );
    return service;
  }

  /** Starts the service, which need not become ready. */
  async launch(overrides: Record<string, string> = {}, now?: () => number): Promise<Service> {
    const environment = { ...this.environment, ...overrides };
    this.#ports = new ListeningPorts();
    const service = await startService({
      name: 'ingestion',
      module: ingestion,
      environment,
      logDestination: { write: (line) => this.#log(line) },
      now,
    });
    this.service = service;
    this.#contract = undefined;
    return service;
  }

  #log(line: string): void {
    this.logged.push(line);
    this.#ports.write(line);
  }

  /** A proxy in front of the table; start the service with `DYNAMODB_ENDPOINT` at its `endpoint`. */
  async openProxy(): Promise<TableProxy> {
    const proxy = await TableProxy.start(this.#dynamo?.endpoint ?? '');
    this.#closers.push(() => proxy.close());
    return proxy;
  }

  /** Only for tests that are skipped on a named endpoint (`describeOnEmbedded`). */
  async stopTable(): Promise<void> {
    await this.#dynamo?.close();
  }

  /** At the same address, with the same data. */
  async restartTable(): Promise<void> {
    const port = Number(new URL(this.#dynamo?.endpoint ?? '').port);
    this.#dynamo = await startDynamoDb({ port, dataFile: this.#dataFile });
  }

  async publish(topic: string, payload: string | Buffer): Promise<void> {
    await this.device.publishAsync(topic, payload, { qos: 1 });
  }

  /** Address of the API, which listens even while the service waits for its table. */
  get api(): string {
    return this.#ports.url('PORT');
  }

  async ask(path: string, request: RequestInit = {}): Promise<TestResponse> {
    this.#contract ??= await contractOf(this.api);
    const answer = await fetch(this.api + path, request);
    const body = await expectResponse(
      this.#contract,
      answer,
      (request.method ?? 'GET').toLowerCase(),
    );
    return { status: answer.status, headers: answer.headers, body };
  }

  /** Sends JSON unless `type` is given. */
  post(
    path: string,
    body: RequestInit['body'] = null,
    type = 'application/json',
  ): Promise<TestResponse> {
    const headers = body === null ? {} : { 'content-type': type };
    return this.ask(path, { method: 'POST', body, headers });
  }

  readingsOf(device: string): Promise<Reading[]> {
    return this.readingsIn(devicePartition(device));
  }

  async readingsIn(partition: string): Promise<Reading[]> {
    const items = await this.items(partition);
    const readings = items.flatMap((item) => (isBlockItem(item) ? blockReadings(item) : []));
    return sortedUnique(readings).map(({ time, fields }) => ({ time, fields }));
  }

  items(pk: string): Promise<Document[]> {
    return queryAll(this.table, { pk });
  }

  async metric(name: string, labels: Record<string, string> = {}): Promise<number> {
    const metric = await this.service?.context.registry.getSingleMetric(name)?.get();
    const matching = metric?.values.filter((value) =>
      Object.entries(labels).every(([label, wanted]) => String(value.labels[label]) === wanted),
    );
    return (matching ?? []).reduce((sum, { value }) => sum + value, 0);
  }

  /** Resolves when every received message has its outcome. */
  async settled(messages: number): Promise<void> {
    await until(`${messages} messages to be done`, async () => {
      return (await this.metric('engawa_ingest_messages_total')) >= messages;
    });
    await until('nothing unacknowledged', async () => {
      return (await this.metric('engawa_ingest_unacknowledged_messages')) === 0;
    });
  }

  async close(): Promise<void> {
    await this.service?.close();
    for (const close of this.#closers.toReversed()) await close();
  }
}
