import { Backends } from './backends.ts';
import { RunningService, serviceNames } from './running-service.ts';
import type { Table } from '@engawa/table';
import type { ServiceName } from './running-service.ts';

/** All services on free ports, over an empty table of the embedded engine. */
export class Services {
  readonly #backends: Backends;
  readonly #running = {} as Record<ServiceName, RunningService>;
  /** Addresses of the APIs. */
  readonly urls = {} as Record<ServiceName, string>;
  /** Addresses of the probes and metrics. */
  readonly metricsUrls = {} as Record<ServiceName, string>;

  static async start(environment: Record<string, string> = {}): Promise<Services> {
    const services = new Services(await Backends.start());
    const all = { ...services.#backends.environment, ...environment };
    for (const name of serviceNames) {
      const service = await RunningService.start(name, { environment: all });
      services.#running[name] = service;
      services.urls[name] = service.url;
      services.metricsUrls[name] = service.metricsUrl;
    }
    return services;
  }

  private constructor(backends: Backends) {
    this.#backends = backends;
  }

  get table(): Table {
    return this.#backends.table;
  }

  /** What a service has logged about a request. */
  logOf(name: ServiceName, requestId: string): Record<string, unknown>[] {
    return this.#running[name].lines.filter((line) => line['requestId'] === requestId);
  }

  get brokerUrl(): string {
    return this.#backends.broker.url;
  }

  async close(): Promise<void> {
    for (const service of Object.values(this.#running).toReversed()) await service.close();
    await this.#backends.close();
  }
}
