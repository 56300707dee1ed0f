import { Simulator } from '@engawa/dynamodb-simulator';
import { deadLetterPartition, parkedPartition, parkedShards } from '@engawa/keys';
import { parseDeadLetter, parseParkedBlock } from '@engawa/model';
import { connectTable, ensureTable, queryAll, TableMetrics } from '@engawa/table';
import { openDynamoDb } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { startServiceProcess } from '../service-process.ts';
import type { Document, ParkedBlock } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { ServiceProcess } from '../service-process.ts';

/** Number of shards of a day's dead letters. */
const deadLetterShards = 64;

/** A table, the simulator in front of it, and the query service, shared by the scenarios of a test file. */
export class SharedBackends {
  readonly simulator: Simulator;
  readonly query: ServiceProcess;
  /** A client that bypasses the simulator. */
  readonly table: Table;
  readonly #closeEngine: () => Promise<void>;

  static async open(): Promise<SharedBackends> {
    const engine = await openDynamoDb();
    const location = {
      tableName: engine.tableNamed('engawa'),
      region: 'local',
      endpoint: engine.endpoint,
      timeoutMs: 60_000,
    };
    await ensureTable(location);
    const simulator = await Simulator.start({ upstream: engine.endpoint });
    const query = await startServiceProcess('query', {
      TABLE_NAME: location.tableName,
      DYNAMODB_ENDPOINT: engine.endpoint,
      CURSOR_SECRET: 'the same for all scenarios, and long enough',
    });
    const metrics = new TableMetrics(new Registry());
    const table = connectTable({ ...location, metrics, log: pino({ level: 'silent' }) });
    return new SharedBackends(simulator, query, table, () => engine.close());
  }

  private constructor(
    simulator: Simulator,
    query: ServiceProcess,
    table: Table,
    closeEngine: () => Promise<void>,
  ) {
    this.simulator = simulator;
    this.query = query;
    this.table = table;
    this.#closeEngine = closeEngine;
  }

  /** The dead letters of today and yesterday, as `topic payload`. */
  async deadLetters(): Promise<string[]> {
    const days = [Date.now(), Date.now() - 86_400_000].map((time) =>
      new Date(time).toISOString().slice(0, 10),
    );
    return (await Promise.all(days.map((day) => this.#deadLettersOf(day)))).flat();
  }

  async parkedBlocks(): Promise<ParkedBlock[]> {
    const partitions = Array.from({ length: parkedShards }, (_, shard) => parkedPartition(shard));
    const items = await Promise.all(partitions.map((pk) => this.#itemsOf(pk)));
    return items.flat().map(parseParkedBlock);
  }

  async close(): Promise<void> {
    await this.query.end('SIGTERM');
    this.table.close();
    await this.simulator.close();
    await this.#closeEngine();
  }

  async #deadLettersOf(day: string): Promise<string[]> {
    const shards = Array.from({ length: deadLetterShards }, (_, shard) =>
      this.#itemsOf(deadLetterPartition(day, shard)),
    );
    const items = (await Promise.all(shards)).flat();
    // Parts of a dead letter are separate items; one that is being written may still lack its
    // first.
    const groups = [...Map.groupBy(items, ({ sk }) => (sk as string).split('#')[0]).values()];
    const whole = groups.filter(([first]) => first?.['topic'] !== undefined);
    return whole
      .map(parseDeadLetter)
      .map(({ topic, payload }) => `${topic} ${Buffer.from(payload).toString()}`);
  }

  #itemsOf(pk: string): Promise<Document[]> {
    return queryAll(this.table, { pk });
  }
}
