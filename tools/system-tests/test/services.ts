import * as catalog from '@engawa/catalog';
import { startBroker } from '@engawa/embedded';
import * as ingestion from '@engawa/ingestion';
import * as query from '@engawa/query';
import * as registry from '@engawa/registry';
import { startService } from '@engawa/service';
import { connectTable, ensureTable, TableMetrics } from '@engawa/table';
import { ListeningPorts, startTable } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Table } from '@engawa/table';

/** All services as they are started, on free ports, over an empty table of the embedded engine. */
export class Services {
  readonly table: Table;
  readonly brokerUrl: string;
  /** Addresses of the APIs. */
  readonly urls = { ingestion: '', registry: '', query: '', catalog: '' };
  /** Addresses of the probes and metrics. */
  readonly metricsUrls = { ...this.urls };
  readonly #closers: (() => unknown)[] = [];

  static async start(environment: Record<string, string> = {}): Promise<Services> {
    const [started, broker] = await Promise.all([startTable(ensureTable), startBroker()]);
    const metrics = new TableMetrics(new Registry());
    const log = pino({ enabled: false });
    const table = connectTable({ ...started.location, metrics, log });
    const services = new Services(table, broker.url);
    services.#closers.push(
      () => started.close(),
      () => broker.close(),
      () => table.close(),
    );
    const common = {
      ...started.environment,
      PORT: '0',
      METRICS_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      MQTT_URL: broker.url,
      MQTT_VERSION: '3.1.1',
      SHUTDOWN_TIMEOUT_MS: '1000',
      ...environment,
    };
    const ports = new ListeningPorts();
    const add = async (name: keyof Services['urls'], starting: Promise<{ close(): unknown }>) => {
      const service = await starting;
      services.#closers.push(() => service.close());
      services.urls[name] = ports.url('PORT');
      services.metricsUrls[name] = ports.url('METRICS_PORT');
    };
    const options = { environment: common, logDestination: ports };
    await add('ingestion', startService({ name: 'ingestion', module: ingestion, ...options }));
    await add('registry', startService({ name: 'registry', module: registry, ...options }));
    await add('query', startService({ name: 'query', module: query, ...options }));
    await add('catalog', startService({ name: 'catalog', module: catalog, ...options }));
    return services;
  }

  private constructor(table: Table, brokerUrl: string) {
    this.table = table;
    this.brokerUrl = brokerUrl;
  }

  async close(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
  }
}
