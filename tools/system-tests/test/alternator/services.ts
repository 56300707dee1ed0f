import { startBroker } from '@engawa/embedded';
import * as tableCommand from '@engawa/table/command';
import { startService } from '@engawa/service';
import { openDynamoDb, until } from '@engawa/testing';
import { ask, RunningService, serviceNames } from '../running-service.ts';
import { startAlternatorProxy } from './proxy.ts';
import type { JsonRequest, ServiceName } from '../running-service.ts';
import type { JsonResponse } from '../json-response.ts';
import type { AlternatorProxy } from './proxy.ts';

export { serviceNames } from '../running-service.ts';

/** All services over a partial DynamoDB API; the table command has created the table. */
export class AlternatorServices {
  readonly #services = new Map<ServiceName, RunningService>();
  readonly proxy: AlternatorProxy;
  mqttUrl = '';
  readonly #tableName: string;
  readonly #closers: (() => unknown)[] = [];

  /** @param environment the operator's settings; `areReady` false if the services are not expected to become ready */
  static async start(
    environment: Record<string, string>,
    { areReady = true } = {},
  ): Promise<AlternatorServices> {
    const [engine, broker] = await Promise.all([openDynamoDb(), startBroker()]);
    const proxy = await startAlternatorProxy(engine.endpoint);
    const services = new AlternatorServices(proxy, engine.tableNamed('engawa'));
    services.mqttUrl = broker.url;
    services.#closers.push(
      () => engine.close(),
      () => broker.close(),
      () => proxy.close(),
    );
    const all = {
      ...environment,
      ...services.#tableSettings,
      LINGER_MS: '0',
      MQTT_URL: broker.url,
    };
    await services.runTableCommand();
    for (const name of serviceNames) await services.#open(name, all, areReady);
    return services;
  }

  private constructor(proxy: AlternatorProxy, tableName: string) {
    this.proxy = proxy;
    this.#tableName = tableName;
  }

  get #tableSettings(): Record<string, string> {
    return { TABLE_NAME: this.#tableName, DYNAMODB_ENDPOINT: this.proxy.endpoint };
  }

  /** @returns the outcome that it logs at its end */
  async runTableCommand(): Promise<unknown> {
    const lines: Record<string, unknown>[] = [];
    const command = await startService({
      name: 'table',
      module: tableCommand,
      environment: this.#tableSettings,
      logDestination: {
        write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>),
      },
    });
    await command.close();
    return lines.find(({ outcome }) => outcome !== undefined)?.['outcome'];
  }

  async #open(
    name: ServiceName,
    environment: Record<string, string>,
    isReady: boolean,
  ): Promise<void> {
    const service = isReady
      ? await RunningService.start(name, { environment })
      : new RunningService(name, { environment });
    this.#services.set(name, service);
    this.#closers.push(() => service.close());
    const isWaiting = () => service.lines.some(({ msg }) => msg === 'waiting for the table');
    if (!isReady) await until(`a waiting ${name}`, isWaiting);
  }

  /** The log lines of a service. */
  linesOf(name: ServiceName): readonly Record<string, unknown>[] {
    return this.#serviceOf(name).lines;
  }

  /** Sends a request to a service's API or, with `METRICS_PORT`, to its probes. */
  ask(
    name: ServiceName,
    path: string,
    { port, ...request }: JsonRequest & { port?: 'METRICS_PORT' } = {},
  ): Promise<JsonResponse> {
    const { url, metricsUrl } = this.#serviceOf(name);
    return ask((port === undefined ? url : metricsUrl) + path, request);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
  }

  #serviceOf(name: ServiceName): RunningService {
    const service = this.#services.get(name);
    if (service === undefined) throw new Error(`${name} has not been started`);
    return service;
  }
}
