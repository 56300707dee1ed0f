import * as catalog from '@engawa/catalog';
import { startBroker } from '@engawa/embedded';
import * as ingestion from '@engawa/ingestion';
import * as query from '@engawa/query';
import * as registry from '@engawa/registry';
import { startService } from '@engawa/service';
import { connectTable, ensureTable, TableMetrics } from '@engawa/table';
import { ListeningPorts, startTable, until } from '@engawa/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { costBetween, countedMetrics, readoutOf, total } from './cost.ts';
import { furnish } from './furnish.ts';
import { furnishCatalog } from './furnish-catalog.ts';
import type { Table } from '@engawa/table';
import type { Cost, Counts, Readout } from './cost.ts';
import type { Size } from './furnish.ts';

const modules = { ingestion, registry, query, catalog };
export type ServiceName = keyof typeof modules;

export interface Request {
  method?: string;
  /** Sent as JSON. */
  body?: unknown;
}

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** All services as they are started, over a table with so much in it; knows what they take of DynamoDB. */
export class House {
  readonly size: Size;
  /** The test's own way to the table, which counts for nothing. */
  readonly table: Table;
  readonly #addresses = new Map<ServiceName, string>();
  /** Of all services: what they say at `/metrics`, without having to render the hundreds of others. */
  readonly #registries: Registry[] = [];
  readonly #closers: (() => unknown)[] = [];

  static async start(size: Size): Promise<House> {
    const [started, broker] = await Promise.all([startTable(ensureTable), startBroker()]);
    const metrics = new TableMetrics(new Registry());
    const table = connectTable({ ...started.location, metrics, log: pino({ enabled: false }) });
    const house = new House(size, table);
    house.#closers.push(
      () => started.close(),
      () => broker.close(),
      () => table.close(),
    );
    try {
      await house.#furnish(started.environment, broker.url);
    } catch (error) {
      // Or its clients go on connecting in the tests that come after it in this process.
      await house.close();
      throw error;
    }
    return house;
  }

  async #furnish(tableSettings: Record<string, string>, brokerUrl: string): Promise<void> {
    // Before the services: ingestion reads the list of devices when it starts.
    await furnish(this.table, this.size);
    const environment = {
      ...tableSettings,
      PORT: '0',
      METRICS_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      LINGER_MS: '0',
      MQTT_URL: brokerUrl,
      MQTT_VERSION: '3.1.1',
      SHUTDOWN_TIMEOUT_MS: '1000',
      // What is looked for in the background, on time and not for a question, is no part of its price.
      TYPE_REFRESH_MS: '600000',
      FULL_TEXT_REFRESH_MS: '600000',
      TASK_REFRESH_MS: '600000',
      PURGE_REFRESH_MS: '600000',
    };
    for (const name of Object.keys(modules) as ServiceName[]) await this.#open(name, environment);
    await furnishCatalog(this, this.size);
  }

  private constructor(size: Size, table: Table) {
    this.size = size;
    this.table = table;
  }

  /** @throws Error with the answer where that is a refusal: a question that is refused costs nothing */
  async ask(service: ServiceName, path: string, request: Request = {}): Promise<Answer> {
    const { method = 'GET', body } = request;
    const answer = await fetch(this.#addressOf(service) + path, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    const parsed = (text === '' ? {} : JSON.parse(text)) as Answer['body'];
    return { status: answer.status, body: parsed };
  }

  /**
   * What all services together took for the action.
   * @param expected what has to be waited for: some of it may follow the answer
   */
  async costOf<Result>(
    expected: Counts,
    action: () => Promise<Result>,
  ): Promise<{ result: Result; cost: Cost }> {
    const before = await this.#settled();
    const result = await action();
    const cost = async () => costBetween(before, await this.#settled());
    let counted: Cost = { requests: {}, read: {}, written: {} };
    const isAll = async () => {
      counted = await cost();
      return total(counted.requests) >= total(expected);
    };
    const progress = () => total(counted.requests);
    // One that never comes is for the comparison to say, with those that did.
    await until('all requests', isAll, { progress, stallMs: 20_000 }).catch(() => undefined);
    return { result, cost: counted };
  }

  async close(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
  }

  async #open(name: ServiceName, environment: Record<string, string>): Promise<void> {
    const ports = new ListeningPorts();
    // The time stands still, so that what is believed for some seconds is believed for as long as a busy machine takes.
    const options = { name, environment, logDestination: ports, now: () => 0 };
    const service = await startService({ ...options, module: modules[name] });
    this.#closers.push(() => service.close());
    this.#registries.push(service.context.registry);
    this.#addresses.set(name, ports.url('PORT'));
    await until(`a ready ${name}`, () => service.context.readiness.missing().length === 0);
  }

  /** Once nothing is under way any more: of two readouts in a row the second has nothing new. */
  async #settled(): Promise<Readout> {
    for (let last = await this.#readout(); ;) {
      await sleep(15);
      // Behind those of the services that are under way: the busier the machine, the longer.
      await this.table.get({ pk: 'nothing', sk: 'nothing' });
      const readout = await this.#readout();
      if ([...readout].every(([name, value]) => last.get(name) === value)) return readout;
      last = readout;
    }
  }

  async #readout(): Promise<Readout> {
    const texts = this.#registries.flatMap((registry) =>
      countedMetrics
        .filter((name) => registry.getSingleMetric(name) !== undefined)
        .map((name) => registry.getSingleMetricAsString(name)),
    );
    return readoutOf(await Promise.all(texts));
  }

  #addressOf(service: ServiceName): string {
    const address = this.#addresses.get(service);
    if (address === undefined) throw new Error(`${service} has not been started`);
    return address;
  }
}
