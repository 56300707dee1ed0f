import { startDynamoDb, startServiceProcess } from '@engawa/embedded';
import { Simulator } from '@engawa/dynamodb-simulator';
import { ensureTable } from '@engawa/table';
import type { DynamoDb, ServiceProcess } from '@engawa/embedded';

const tableName = 'engawa';
const replicaCount = 2;

/** Milliseconds for which a transaction locks its items, about as long as in DynamoDB. */
const conflicts = { from: 4, to: 20 };

/** A table whose transactions conflict, and replicas of the catalog over it. */
export class CatalogStack {
  readonly simulator: Simulator;
  readonly tableName = tableName;
  readonly #table: DynamoDb;
  readonly #replicas: ServiceProcess[] = [];
  readonly #ready = new Set<number>();

  static async open(seed: number): Promise<CatalogStack> {
    const table = await startDynamoDb();
    await ensureTable({ tableName, endpoint: table.endpoint, timeoutMs: 10_000 });
    const simulator = await Simulator.start({ upstream: table.endpoint, conflicts, seed });
    const stack = new CatalogStack(table, simulator);
    for (let replica = 0; replica < replicaCount; replica++) await stack.startReplica(replica);
    return stack;
  }

  private constructor(table: DynamoDb, simulator: Simulator) {
    this.#table = table;
    this.simulator = simulator;
  }

  get replicas(): number {
    return replicaCount;
  }

  /** Endpoint of the DynamoDB API behind the simulator, without delays. */
  get tableEndpoint(): string {
    return this.#table.endpoint;
  }

  /** A replica that was ready at the last check; it may be killed before it responds. */
  someUrl(random: () => number): string {
    const ready = [...this.#ready];
    const replica = ready[Math.floor(random() * ready.length)];
    return this.urlOf(replica ?? 0);
  }

  urlOf(replica: number): string {
    const url = this.#replicas[replica]?.url;
    if (url === undefined) throw new Error(`there is no replica ${replica}`);
    return url;
  }

  /** Resolves once it is ready. */
  async startReplica(replica: number): Promise<void> {
    this.#replicas[replica] = await startServiceProcess({
      service: 'catalog',
      environment: {
        DYNAMODB_ENDPOINT: this.simulator.endpoint,
        TABLE_NAME: tableName,
        RATE_LIMIT_PER_MINUTE: '0',
        REQUEST_UNIT_LIMIT: '1000000000',
        TASK_REFRESH_MS: '2000',
        LOG_LEVEL: 'fatal',
      },
    });
    this.#ready.add(replica);
  }

  async killReplica(replica: number): Promise<void> {
    await this.#replicas[replica]?.end('SIGKILL');
    this.#ready.delete(replica);
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.end('SIGTERM')));
    await this.simulator.close();
    await this.#table.close();
  }
}
