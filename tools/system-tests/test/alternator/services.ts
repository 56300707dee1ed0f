import * as catalog from '@engawa/catalog';
import { startBroker } from '@engawa/embedded';
import * as ingestion from '@engawa/ingestion';
import * as query from '@engawa/query';
import * as registry from '@engawa/registry';
import * as tableCommand from '@engawa/registry/table';
import { startService } from '@engawa/service';
import { ListeningPorts, openDynamoDb, until } from '@engawa/testing';
import { startAlternatorProxy } from './proxy.ts';
import type { AlternatorProxy } from './proxy.ts';

const modules = { ingestion, registry, query, catalog };
export type ServiceName = keyof typeof modules;
export const serviceNames = Object.keys(modules) as ServiceName[];

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** What a service logged, beside where it listens. */
class Log extends ListeningPorts {
  readonly lines: Record<string, unknown>[] = [];

  override write(line: string): void {
    this.lines.push(JSON.parse(line) as Record<string, unknown>);
    super.write(line);
  }
}

/** All services over an API that has not all that DynamoDB has; the table command has made the table. */
export class AlternatorServices {
  readonly logs = new Map<ServiceName, Log>();
  mqttUrl = '';
  readonly #closers: (() => unknown)[] = [];
  readonly proxy: AlternatorProxy;
  readonly #tableName: string;

  /** @param environment what the operator has set; `areReady` false where the services will not be, for now */
  static async start(
    environment: Record<string, string>,
    { areReady = true } = {},
  ): Promise<AlternatorServices> {
    const [engine, broker] = await Promise.all([openDynamoDb(), startBroker()]);
    const services = new AlternatorServices(
      await startAlternatorProxy(engine.endpoint),
      engine.tableNamed('engawa'),
    );
    services.mqttUrl = broker.url;
    services.#closers.push(
      () => engine.close(),
      () => broker.close(),
      () => services.proxy.close(),
    );
    const common = {
      ...environment,
      TABLE_NAME: services.#tableName,
      DYNAMODB_ENDPOINT: services.proxy.endpoint,
      PORT: '0',
      METRICS_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      LINGER_MS: '0',
      MQTT_URL: broker.url,
      MQTT_VERSION: '3.1.1',
      SHUTDOWN_TIMEOUT_MS: '1000',
    };
    await services.runTableCommand();
    for (const name of serviceNames) await services.#open(name, common, areReady);
    return services;
  }

  private constructor(proxy: AlternatorProxy, tableName: string) {
    this.proxy = proxy;
    this.#tableName = tableName;
  }

  /** @returns what it says at its end */
  async runTableCommand(): Promise<unknown> {
    const log = new Log();
    const environment = { TABLE_NAME: this.#tableName, DYNAMODB_ENDPOINT: this.proxy.endpoint };
    const options = { name: 'table', module: tableCommand, environment, logDestination: log };
    await (await startService(options)).close();
    return log.lines.find(({ outcome }) => outcome !== undefined)?.['outcome'];
  }

  async #open(
    name: ServiceName,
    environment: Record<string, string>,
    isReady: boolean,
  ): Promise<void> {
    const log = new Log();
    const options = { name, module: modules[name], environment, logDestination: log };
    const starting = startService(options);
    this.logs.set(name, log);
    if (!isReady) {
      this.#closers.push(async () => (await starting).close());
      const waiting = () => log.lines.some(({ msg }) => msg === 'waiting for the table');
      await until(`a waiting ${name}`, waiting);
      return;
    }
    const service = await starting;
    this.#closers.push(() => service.close());
    await until(`a ready ${name}`, () => service.context.readiness.missing().length === 0);
  }

  /** Of a service's API or, with `METRICS_PORT`, of its probes. */
  async ask(
    name: ServiceName,
    path: string,
    { method = 'GET', body, port }: { method?: string; body?: unknown; port?: 'METRICS_PORT' } = {},
  ): Promise<Answer> {
    const url = this.logs.get(name)?.url(port ?? 'PORT') ?? '';
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(
      url + path,
      body === undefined ? { method } : { method, headers, body: JSON.stringify(body) },
    );
    const text = await answer.text();
    return {
      status: answer.status,
      body: (text === '' ? {} : JSON.parse(text)) as Answer['body'],
    };
  }

  async close(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
  }
}
