import { startDynamoDb } from '@engawa/embedded';
import { ensureTable } from '@engawa/table';
import { Closables } from '../closables.ts';
import { RawTable } from '../raw-table.ts';
import { MeasuredService } from './measured-service.ts';
import type { GrowthOptions } from './options.ts';

/** A table of one size, with direct access. */
export interface GrowthTable {
  environment: Record<string, string>;
  items: RawTable;
}

/** An engine per size of table, and services. */
export class GrowthRig {
  readonly #closables = new Closables();
  readonly #options: GrowthOptions;

  constructor(options: GrowthOptions) {
    this.#options = options;
  }

  withTable<Result>(measure: (table: GrowthTable) => Promise<Result>): Promise<Result> {
    return this.#closables.with(new Closables(), async (parts) => {
      const { endpoint } = parts.add(await startDynamoDb());
      const tableName = 'bench-growth';
      await ensureTable({ tableName, endpoint, timeoutMs: 5000 });
      const items = parts.add(new RawTable({ endpoint, tableName }));
      return measure({
        items,
        environment: { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: tableName },
      });
    });
  }

  /** Runs `measure` with a new service on the table. */
  async withService<Result>(
    service: string,
    { environment }: GrowthTable,
    measure: (service: MeasuredService) => Promise<Result>,
  ): Promise<Result> {
    const { node, profile } = this.#options;
    const profiling = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];
    const started = await MeasuredService.start(service, environment, [...node, ...profiling]);
    return this.#closables.with(started, measure);
  }

  close(): Promise<void> {
    return this.#closables.close();
  }
}
