import { startDynamoDb } from '@engawa/embedded';
import { ensureTable } from '@engawa/table';
import { startMosquitto } from '@engawa/testing';
import { IngestionProcess } from './ingestion-process.ts';
import { Closables } from '../closables.ts';
import { Worker } from '../worker.ts';
import type { PublisherMethods } from '../children/publisher.ts';
import type { ReceiverMethods } from '../children/receiver.ts';
import type { WriterMethods } from '../children/writer.ts';
import type { IngestionOptions } from './options.ts';
import type { Methods } from '../serve.ts';

const tableName = 'engawa-bench';

/** Settings of Mosquitto that leave the number of messages in flight to the client. */
export const unlimited = ['allow_anonymous true', 'max_inflight_messages 0'];

/** Topic of the baseline's messages, to which only its receiver subscribes. */
export const baselineTopic = 'baselines';

/** The methods of a worker without calls. */
type NoMethods = Methods<'none'>;

/**
 * What surrounds the process under test: engine, broker, publisher and the two halves of the
 * baseline, each a process.
 */
export class IngestionRig {
  readonly #closables = new Closables();
  readonly #options: IngestionOptions;
  #environment: Record<string, string> = {};
  #endpoint = '';
  #mqttUrl = '';
  publisher!: Worker<PublisherMethods>;
  receiver!: Worker<ReceiverMethods>;
  writer!: Worker<WriterMethods>;

  static async start(options: IngestionOptions): Promise<IngestionRig> {
    const rig = new IngestionRig(options);
    await rig.#closables.opening(() => rig.#start());
    return rig;
  }

  private constructor(options: IngestionOptions) {
    this.#options = options;
  }

  get endpoint(): string {
    return this.#endpoint;
  }

  /** Leads a service to the table and the broker. */
  get environment(): Record<string, string> {
    return this.#environment;
  }

  get mqttUrl(): string {
    return this.#mqttUrl;
  }

  get #version(): '5' | '3.1.1' {
    return this.#options.broker === 'mosquitto' ? '5' : '3.1.1';
  }

  async #start(): Promise<void> {
    this.#endpoint = this.#closables.add(await startDynamoDb()).endpoint;
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
    this.publisher = this.#closables.add(
      await Worker.start<PublisherMethods>('publisher', { url }),
    );
    this.receiver = this.#closables.add(
      await Worker.start<ReceiverMethods>('receiver', {
        url,
        version: this.#version,
        filter: `${baselineTopic}/+/readings`,
      }),
    );
    this.writer = this.#closables.add(
      await Worker.start<WriterMethods>('writer', { endpoint: this.#endpoint, tableName }),
    );
  }

  async #startBroker(): Promise<string> {
    if (this.#options.broker === 'mosquitto') {
      return this.#closables.add(await startMosquitto({ settings: unlimited })).url;
    }
    return this.#closables.add(await Worker.start<NoMethods, { url: string }>('broker')).ready.url;
  }

  /** Runs `measure` with an ingestion of its own. */
  async withIngestion<Result>(
    environment: Record<string, string>,
    measure: (ingestion: IngestionProcess) => Promise<Result>,
    nodeOptions: readonly string[] = [],
  ): Promise<Result> {
    const all = { ...this.#environment, ...environment };
    const options = [...this.#options.node, ...nodeOptions];
    return this.#closables.with(await IngestionProcess.start(all, options), measure);
  }

  /** Runs `measure` with a table before the engine's that answers each BatchWriteItem after `delay` milliseconds. */
  async withSlowTable<Result>(
    delay: number,
    measure: (environment: Record<string, string>) => Promise<Result>,
  ): Promise<Result> {
    const argument = { endpoint: this.#endpoint, tableName, delay };
    const slow = await Worker.start<NoMethods, { endpoint: string }>('slow-table', argument);
    return this.#closables.with(slow, ({ ready }) =>
      measure({ DYNAMODB_ENDPOINT: ready.endpoint }),
    );
  }

  close(): Promise<void> {
    return this.#closables.close();
  }
}
