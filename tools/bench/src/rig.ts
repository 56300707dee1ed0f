import { startDynamoDb } from '@engawa/embedded';
import { ensureTable } from '@engawa/table';
import { findFreePort } from './free-port.ts';
import { IngestionProcess } from './ingestion-process.ts';
import { startMosquitto } from './mosquitto.ts';
import { Worker } from './worker.ts';
import type { PublisherMethods } from './children/publisher.ts';
import type { ReceiverMethods } from './children/receiver.ts';
import type { WriterMethods } from './children/writer.ts';
import type { Options } from './options.ts';
import type { Methods } from './serve.ts';

const tableName = 'engawa-bench';

/** Where the floor's messages go: nothing but its receiver listens there. */
export const floorTopic = 'floors';

/** Of a worker that only has to be there: it serves none, and nobody calls this one. */
type NoMethods = Methods<'none'>;

interface Closable {
  close(): Promise<void>;
}

/** What surrounds the process under test: engine, broker, publisher and the two halves of the floor, each a process. */
export class Rig {
  readonly #closers: Closable[] = [];
  readonly #options: Options;
  #environment: Record<string, string> = {};
  #endpoint = '';
  #mqttUrl = '';
  publisher!: Worker<PublisherMethods>;
  receiver!: Worker<ReceiverMethods>;
  writer!: Worker<WriterMethods>;

  static async start(options: Options): Promise<Rig> {
    const rig = new Rig(options);
    try {
      await rig.#start();
      return rig;
    } catch (error) {
      await rig.close();
      throw error;
    }
  }

  private constructor(options: Options) {
    this.#options = options;
  }

  get endpoint(): string {
    return this.#endpoint;
  }

  get mqttUrl(): string {
    return this.#mqttUrl;
  }

  get #version(): '5' | '3.1.1' {
    return this.#options.broker === 'mosquitto' ? '5' : '3.1.1';
  }

  async #start(): Promise<void> {
    this.#endpoint = this.#add(await startDynamoDb()).endpoint;
    await ensureTable({ tableName, endpoint: this.#endpoint, timeoutMs: 5000 });
    this.#mqttUrl = await this.#startBroker();
    this.#environment = {
      DYNAMODB_ENDPOINT: this.#endpoint,
      TABLE_NAME: tableName,
      MQTT_URL: this.#mqttUrl,
      MQTT_VERSION: this.#version,
      MQTT_CLIENT_ID: 'bench-ingestion',
    };
    const url = this.#mqttUrl;
    this.publisher = this.#add(await Worker.start<PublisherMethods>('publisher', { url }));
    this.receiver = this.#add(
      await Worker.start<ReceiverMethods>('receiver', {
        url,
        version: this.#version,
        filter: `${floorTopic}/+/readings`,
      }),
    );
    this.writer = this.#add(
      await Worker.start<WriterMethods>('writer', { endpoint: this.#endpoint, tableName }),
    );
  }

  async #startBroker(): Promise<string> {
    if (this.#options.broker === 'mosquitto') {
      return this.#add(await startMosquitto(await findFreePort())).url;
    }
    return this.#add(await Worker.start<NoMethods, { url: string }>('broker')).ready.url;
  }

  /** Runs `measure` with an ingestion of its own. */
  async withIngestion<Result>(
    environment: Record<string, string>,
    measure: (ingestion: IngestionProcess) => Promise<Result>,
    nodeOptions: readonly string[] = [],
  ): Promise<Result> {
    const all = { ...this.#environment, ...environment };
    const ingestion = this.#add(
      await IngestionProcess.start(all, [...this.#options.node, ...nodeOptions]),
    );
    try {
      return await measure(ingestion);
    } finally {
      await this.#close(ingestion);
    }
  }

  /** Runs `measure` with a table before the engine's that answers each BatchWriteItem after `delay` milliseconds. */
  async withSlowTable<Result>(
    delay: number,
    measure: (environment: Record<string, string>) => Promise<Result>,
  ): Promise<Result> {
    const argument = { endpoint: this.#endpoint, tableName, delay };
    const slow = this.#add(
      await Worker.start<NoMethods, { endpoint: string }>('slow-table', argument),
    );
    try {
      return await measure({ DYNAMODB_ENDPOINT: slow.ready.endpoint });
    } finally {
      await this.#close(slow);
    }
  }

  async close(): Promise<void> {
    for (const closer of this.#closers.toReversed()) await this.#close(closer);
  }

  #add<Part extends Closable>(part: Part): Part {
    this.#closers.push(part);
    return part;
  }

  async #close(part: Closable): Promise<void> {
    const index = this.#closers.indexOf(part);
    if (index !== -1) this.#closers.splice(index, 1);
    await part.close();
  }
}
