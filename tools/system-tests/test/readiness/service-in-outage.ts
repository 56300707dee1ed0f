import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBroker, startDynamoDb } from '@engawa/embedded';
import { ensureTable } from '@engawa/table';
import { freePort, metricValue, until } from '@engawa/testing';
import { RunningService } from '../running-service.ts';
import type { Broker, DynamoDb } from '@engawa/embedded';
import type { ServiceName } from '../running-service.ts';

export type { ServiceName } from '../running-service.ts';

/** The response of `/readyz`. */
export interface ReadinessAnswer {
  status: number;
  ready: boolean;
  /** Names of the requirements that keep the service from being ready. */
  missing: string[];
  /** Names of the unmet requirements that do not. */
  degraded: string[];
}

/** A service whose table and broker can be started and stopped at fixed addresses; at first neither runs. */
export class ServiceInOutage {
  readonly #folder = mkdtempSync(join(tmpdir(), 'engawa-readiness-'));
  readonly #tablePort: number;
  readonly #brokerPort: number;
  #service: RunningService | undefined;
  #table: DynamoDb | undefined;
  #broker: Broker | undefined;

  static async create(): Promise<ServiceInOutage> {
    return new ServiceInOutage(await freePort(), await freePort());
  }

  private constructor(tablePort: number, brokerPort: number) {
    this.#tablePort = tablePort;
    this.#brokerPort = brokerPort;
  }

  /** @param now monotonic milliseconds; the machine's clock if absent */
  start(name: ServiceName, settings: Record<string, string> = {}, now?: () => number): void {
    const environment = {
      TABLE_NAME: 'engawa',
      AWS_REGION: 'local',
      DYNAMODB_ENDPOINT: `http://127.0.0.1:${this.#tablePort}`,
      MQTT_URL: `mqtt://127.0.0.1:${this.#brokerPort}`,
      LINGER_MS: '0',
      ...settings,
    };
    this.#service = new RunningService(name, { environment, ...(now !== undefined && { now }) });
  }

  async startTable(): Promise<void> {
    const dataFile = join(this.#folder, 'table.sqlite');
    this.#table = await startDynamoDb({ port: this.#tablePort, dataFile });
    const { endpoint } = this.#table;
    await ensureTable({ tableName: 'engawa', region: 'local', endpoint, timeoutMs: 60_000 });
  }

  async stopTable(): Promise<void> {
    await this.#table?.close();
  }

  async startBroker(): Promise<void> {
    this.#broker = await startBroker({ port: this.#brokerPort });
  }

  async stopBroker(): Promise<void> {
    await this.#broker?.close();
    this.#broker = undefined;
  }

  async readiness(): Promise<ReadinessAnswer> {
    const answer = await fetch(`${this.#running.metricsUrl}/readyz`);
    const body = (await answer.json()) as Record<string, unknown>;
    const names = (list: unknown) => ((list ?? []) as { name: string }[]).map(({ name }) => name);
    const { ready, missing, degraded } = body;
    return {
      status: answer.status,
      ready: ready === true,
      missing: names(missing),
      degraded: names(degraded),
    };
  }

  /** Resolves to the first matching response of `/readyz`. */
  readinessWhere(
    what: string,
    fits: (answer: ReadinessAnswer) => boolean,
  ): Promise<ReadinessAnswer> {
    return until(what, async () => {
      const answer = await this.readiness().catch(() => undefined); // it does not listen yet
      return answer !== undefined && fits(answer) ? answer : undefined;
    });
  }

  /** The metrics of readiness and of the table's availability. */
  async metrics(): Promise<{ ready: number; table: number }> {
    const url = this.#running.metricsUrl;
    const table = { requirement: 'table' };
    return {
      ready: await metricValue(url, 'engawa_ready'),
      table: await metricValue(url, 'engawa_requirement_met', table),
    };
  }

  /** Sends a request to the API: GET, or POST with a body. */
  async ask(path: string, body?: unknown): Promise<{ status: number; retryAfter: string | null }> {
    const options = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const url = this.#running.url + path;
    const { status, headers } = await fetch(url, body === undefined ? {} : options);
    return { status, retryAfter: headers.get('retry-after') };
  }

  async close(): Promise<void> {
    // A service that still waits for its table or broker rejects when it is closed, which is no failure.
    await this.#service?.close().catch(() => undefined);
    await this.stopBroker();
    await this.stopTable();
    rmSync(this.#folder, { recursive: true });
  }

  get #running(): RunningService {
    if (this.#service === undefined) throw new Error('no service has been started');
    return this.#service;
  }
}
