import { Simulator } from '@engawa/dynamodb-simulator';
import { Heat } from '@engawa/heat';
import { connectTable, ensureTable, TableMetrics } from '@engawa/table';
import { openDynamoDb } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { PartitionHeat, IndexUnit } from '@engawa/heat';
import type { Table } from '@engawa/table';

/** Units per second that the heat monitor assumes for a partition. */
const usualLimits = { read: 5, write: 5 };

/** A table with throughput limits, and its heat. */
export class LimitedTable {
  readonly simulator: Simulator;
  readonly table: Table;
  readonly heat: Heat;
  readonly #registry: Registry;
  readonly #closeEngine: () => Promise<void>;

  static async open(limits = usualLimits): Promise<LimitedTable> {
    const engine = await openDynamoDb();
    const tableName = engine.tableNamed('engawa');
    await ensureTable({ tableName, region: 'local', endpoint: engine.endpoint, timeoutMs: 60_000 });
    const simulator = await Simulator.start({ upstream: engine.endpoint });
    return new LimitedTable(simulator, { tableName, limits }, () => engine.close());
  }

  private constructor(
    simulator: Simulator,
    { tableName, limits }: { tableName: string; limits: typeof usualLimits },
    closeEngine: () => Promise<void>,
  ) {
    this.simulator = simulator;
    this.#closeEngine = closeEngine;
    this.heat = new Heat({ limits });
    this.#registry = new Registry();
    this.table = connectTable({
      tableName,
      region: 'local',
      endpoint: simulator.endpoint,
      timeoutMs: 60_000,
      metrics: new TableMetrics(this.#registry),
      heat: this.heat,
      log: pino({ level: 'silent' }),
    });
  }

  /** Number of throttled attempts by these labels. */
  async throttled(labels: Record<string, string>): Promise<number> {
    const metric = this.#registry.getSingleMetric('engawa_table_throttled_attempts_total');
    const { values = [] } = (await metric?.get()) ?? {};
    const wanted = Object.entries(labels);
    return values
      .filter((sample) => wanted.every(([label, text]) => sample.labels[label] === text))
      .reduce((sum, { value }) => sum + value, 0);
  }

  /** Hot partitions of an index unit, the hottest first. */
  top(indexUnit: IndexUnit): PartitionHeat[] {
    return this.heat.top(indexUnit, 100, performance.now());
  }

  async close(): Promise<void> {
    this.table.close();
    await this.simulator.close();
    await this.#closeEngine();
  }
}
