import { startDynamoDb } from '@engawa/embedded';
import { ensureTable } from '@engawa/table';
import { Closables } from '../closables.ts';
import { RawTable } from '../raw-table.ts';
import { Worker } from '../worker.ts';
import { QueryProcess } from './query-process.ts';
import type { AnswererMethods } from '../children/answerer.ts';
import type { ReaderMethods } from '../children/reader.ts';
import type { QueryOptions } from './options.ts';

/** A table with only the items of a measurement. */
export interface BenchTable {
  tableName: string;
  items: RawTable;
}

export interface QuerySettings {
  environment?: Readonly<Record<string, string>>;
  /** Options of Node. */
  node?: readonly string[];
}

/** The engine, and the two parts of the baseline, each a process. */
export class QueryRig {
  readonly #closables = new Closables();
  readonly #options: QueryOptions;
  #endpoint = '';

  static async start(options: QueryOptions): Promise<QueryRig> {
    const rig = new QueryRig(options);
    rig.#endpoint = rig.#closables.add(await startDynamoDb()).endpoint;
    return rig;
  }

  private constructor(options: QueryOptions) {
    this.#options = options;
  }

  async createTable(tableName: string): Promise<BenchTable> {
    const endpoint = this.#endpoint;
    await ensureTable({ tableName, endpoint, timeoutMs: 5000 });
    return { tableName, items: this.#closables.add(new RawTable({ endpoint, tableName })) };
  }

  /** The bare SDK. */
  async startReader({ tableName }: BenchTable): Promise<Worker<ReaderMethods>> {
    const argument = { endpoint: this.#endpoint, tableName };
    return this.#closables.add(await Worker.start<ReaderMethods>('reader', argument));
  }

  /** A bare server. */
  async startAnswerer(): Promise<Worker<AnswererMethods, { url: string }>> {
    return this.#closables.add(await Worker.start<AnswererMethods, { url: string }>('answerer'));
  }

  /** Runs `measure` with a new query service. @param settings in addition to those of the bench */
  async withQuery<Result>(
    { tableName }: BenchTable,
    measure: (query: QueryProcess) => Promise<Result>,
    settings: QuerySettings = {},
  ): Promise<Result> {
    const { node, profile } = this.#options;
    const profiling = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];
    const location = { DYNAMODB_ENDPOINT: this.#endpoint, TABLE_NAME: tableName };
    const environment = { ...location, ...settings.environment };
    const options = [...node, ...(settings.node ?? []), ...profiling];
    const query = await QueryProcess.start(environment, options);
    return this.#closables.with(query, measure);
  }

  close(): Promise<void> {
    return this.#closables.close();
  }
}
