import * as catalog from '@engawa/catalog';
import * as ingestion from '@engawa/ingestion';
import * as query from '@engawa/query';
import * as registry from '@engawa/registry';
import { startService } from '@engawa/service';
import { ListeningPorts, until } from '@engawa/testing';
import type { Registry } from 'prom-client';
import type { JsonResponse } from './json-response.ts';

const modules = { ingestion, registry, query, catalog };
export type ServiceName = keyof typeof modules;
export const serviceNames = Object.keys(modules) as ServiceName[];

/** Settings of services that run in the process of a test. */
export const testSettings = {
  PORT: '0',
  METRICS_PORT: '0',
  RATE_LIMIT_PER_MINUTE: '0',
  MQTT_VERSION: '3.1.1',
  SHUTDOWN_TIMEOUT_MS: '1000',
};

export interface JsonRequest {
  method?: string;
  /** Sent as JSON. */
  body?: unknown;
}

/** The log of a service, parsed. */
class ServiceLog extends ListeningPorts {
  readonly lines: Record<string, unknown>[] = [];

  override write(line: string): void {
    this.lines.push(JSON.parse(line) as Record<string, unknown>);
    super.write(line);
  }
}

export interface RunningServiceOptions {
  environment: Record<string, string>;
  /** Monotonic milliseconds; the machine's clock if absent. */
  now?: () => number;
}

/** A service in the process of the test, with its real server, broker connection and table client. */
export class RunningService {
  readonly #log = new ServiceLog();
  readonly #starting: ReturnType<typeof startService>;

  /** Resolves when the service is ready. */
  static async start(name: ServiceName, options: RunningServiceOptions): Promise<RunningService> {
    const service = new RunningService(name, options);
    const { context } = await service.#starting;
    await until(`a ready ${name}`, () => context.readiness.unavailableReasons().length === 0);
    return service;
  }

  /** Starts the service; it is not ready yet. */
  constructor(name: ServiceName, { environment, now }: RunningServiceOptions) {
    this.#starting = startService({
      name,
      module: modules[name],
      environment: { ...testSettings, ...environment },
      logDestination: this.#log,
      ...(now !== undefined && { now }),
    });
    this.#starting.catch(() => undefined); // `close` reports it
  }

  get lines(): readonly Record<string, unknown>[] {
    return this.#log.lines;
  }

  /** Of its API. */
  get url(): string {
    return this.#log.url('PORT');
  }

  /** Of its probes and metrics. */
  get metricsUrl(): string {
    return this.#log.url('METRICS_PORT');
  }

  async registry(): Promise<Registry> {
    return (await this.#starting).context.registry;
  }

  async close(): Promise<void> {
    await (await this.#starting).close();
  }
}

/** Sends a request. @returns the status and the parsed body */
export async function ask(
  url: string,
  { method = 'GET', body }: JsonRequest = {},
): Promise<JsonResponse> {
  const answer = await fetch(url, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    body: (text === '' ? {} : JSON.parse(text)) as JsonResponse['body'],
  };
}

/** Sends a request that has to succeed. @throws Error with the body of any other answer than 2xx */
export async function askSuccessfully(
  url: string,
  request: JsonRequest = {},
): Promise<JsonResponse> {
  const answer = await ask(url, request);
  if (answer.status >= 200 && answer.status < 300) return answer;
  const { method = 'GET' } = request;
  throw new Error(`${method} ${url}: ${answer.status} ${JSON.stringify(answer.body)}`);
}
