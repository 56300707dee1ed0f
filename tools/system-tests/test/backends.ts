import { startBroker } from '@engawa/embedded';
import { connectTable, ensureTable, TableMetrics } from '@engawa/table';
import { startTable } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Broker } from '@engawa/embedded';
import type { Table } from '@engawa/table';
import type { StartedTable } from '@engawa/testing';

/** An empty table and a broker. */
export class Backends {
  readonly started: StartedTable;
  readonly broker: Broker;
  /** The test's own client, which no policy and no cost counts. */
  readonly table: Table;

  static async start(): Promise<Backends> {
    return new Backends(await startTable(ensureTable), await startBroker());
  }

  private constructor(started: StartedTable, broker: Broker) {
    this.started = started;
    this.broker = broker;
    const metrics = new TableMetrics(new Registry());
    this.table = connectTable({ ...started.location, metrics, log: pino({ enabled: false }) });
  }

  /** Settings that connect a service with the table and the broker. */
  get environment(): Record<string, string> {
    return { ...this.started.environment, MQTT_URL: this.broker.url };
  }

  async close(): Promise<void> {
    this.table.close();
    await this.broker.close();
    await this.started.close();
  }
}
