import { randomBytes } from 'node:crypto';
import { startServiceProcess } from '@engawa/embedded';
import { Metrics } from '@engawa/testing';
import { SerialClient } from './serial-client.ts';
import type { ServiceProcess } from '@engawa/embedded';

/** The service's resource usage. */
export interface Usage {
  /** Microseconds of CPU. */
  cpu: number;
  /** DynamoDB requests, including retries. */
  requests: number;
  /** The Queries among the requests; the others read single items that are cached for some seconds. */
  queries: number;
  readUnits: number;
}

/** Settings with which the service answers every request of the bench as one page. */
const withoutLimits = {
  HOST: '127.0.0.1',
  RATE_LIMIT_PER_MINUTE: '0',
  REQUEST_UNIT_LIMIT: '1000000000',
  REQUEST_DEADLINE_MS: '600000',
  DYNAMODB_TIMEOUT_MS: '60000',
};

/** The query service as a process, and a client. */
export class QueryProcess {
  readonly #process: ServiceProcess;
  readonly client: SerialClient;

  static async start(
    environment: Record<string, string>,
    nodeOptions: readonly string[],
  ): Promise<QueryProcess> {
    const all = {
      ...withoutLimits,
      CURSOR_SECRET: randomBytes(32).toString('hex'),
      ...environment,
    };
    const process = await startServiceProcess({
      service: 'query',
      environment: all,
      nodeOptions,
    });
    return new QueryProcess(process, new SerialClient(process.url));
  }

  private constructor(process: ServiceProcess, client: SerialClient) {
    this.#process = process;
    this.client = client;
  }

  get url(): string {
    return this.#process.url;
  }

  /** Runs the requests of `questions`. @returns the service's usage for them, and their result */
  async measure<Result>(
    questions: () => Promise<Result>,
  ): Promise<{ used: Usage; result: Result }> {
    const before = await this.#usage();
    const result = await questions();
    const after = await this.#usage();
    const used = {
      cpu: after.cpu - before.cpu,
      requests: after.requests - before.requests,
      queries: after.queries - before.queries,
      readUnits: after.readUnits - before.readUnits,
    };
    return { used, result };
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.#process.close();
  }

  async #usage(): Promise<Usage> {
    const metrics = await Metrics.of(this.#process.metricsUrl);
    return {
      cpu: metrics.cpu,
      requests: metrics.sum('engawa_table_attempts_total'),
      queries: metrics.sum('engawa_table_attempts_total', { operation: 'Query' }),
      readUnits: metrics.sum('engawa_table_consumed_units_total', { unit: 'read' }),
    };
  }
}
