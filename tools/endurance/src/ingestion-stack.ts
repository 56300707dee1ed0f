import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchServiceProcess, startDynamoDb } from '@engawa/embedded';
import { ensureTable } from '@engawa/table';
import { startBroker } from './broker.ts';
import type { DynamoDb, ServiceProcess } from '@engawa/embedded';
import type { RestartableBroker } from './broker.ts';
import type { Options } from './options.ts';

const tableName = 'engawa';
const replicaCount = 2;

/** A broker, a table, two replicas of ingestion, and the query service. */
export class IngestionStack {
  readonly broker: RestartableBroker;
  readonly query: ServiceProcess;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #folder: string;
  readonly #replicas: ServiceProcess[] = [];
  #table: DynamoDb;

  static async open(options: Options): Promise<IngestionStack> {
    const broker = await startBroker(options);
    const folder = mkdtempSync(join(tmpdir(), 'engawa-endurance-table-'));
    const table = await startDynamoDb({ dataFile: join(folder, 'table.sqlite') });
    await ensureTable({ tableName, endpoint: table.endpoint, timeoutMs: 10_000 });
    const location = { DYNAMODB_ENDPOINT: table.endpoint, TABLE_NAME: tableName };
    const query = await launch('query', {
      ...location,
      RATE_LIMIT_PER_MINUTE: '0',
      REQUEST_UNIT_LIMIT: '1000000000',
      REQUEST_DEADLINE_MS: '60000',
    });
    const sharing: Record<string, string> =
      options.sharing === 'group'
        ? { MQTT_GROUP: 'endurance' }
        : { MQTT_PARTITIONS: String(replicaCount), MQTT_REPLICAS: String(replicaCount) };
    const environment = {
      ...location,
      ...sharing,
      MQTT_URL: broker.url,
      MQTT_VERSION: broker.mqttVersion,
    };
    const stack = new IngestionStack({ broker, folder, table, query, environment });
    for (let replica = 0; replica < replicaCount; replica++) await stack.startReplica(replica);
    await Promise.all(stack.#replicas.map((replica) => replica.ready()));
    return stack;
  }

  private constructor(parts: {
    broker: RestartableBroker;
    folder: string;
    table: DynamoDb;
    query: ServiceProcess;
    environment: Readonly<Record<string, string>>;
  }) {
    this.broker = parts.broker;
    this.query = parts.query;
    this.#environment = parts.environment;
    this.#folder = parts.folder;
    this.#table = parts.table;
  }

  get replicas(): number {
    return replicaCount;
  }

  async startReplica(replica: number): Promise<void> {
    const name = { MQTT_CLIENT_ID: `endurance-${replica}` };
    const environment = { ...this.#environment, ...name };
    this.#replicas[replica] = await launch('ingestion', environment);
  }

  async killReplica(replica: number): Promise<void> {
    await this.#replicas[replica]?.end('SIGKILL');
  }

  async stopTable(): Promise<void> {
    await this.#table.close();
  }

  /** Restarts the table at the same address, with the same data. */
  async startTable(): Promise<void> {
    const port = Number(new URL(this.#table.endpoint).port);
    const dataFile = join(this.#folder, 'table.sqlite');
    this.#table = await startDynamoDb({ port, dataFile });
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.end('SIGTERM')));
    await this.query.end('SIGTERM');
    await this.#table.close();
    await this.broker.close();
    rmSync(this.#folder, { recursive: true });
  }
}

function launch(service: string, environment: Record<string, string>): Promise<ServiceProcess> {
  return launchServiceProcess({ service, environment: { LOG_LEVEL: 'error', ...environment } });
}
