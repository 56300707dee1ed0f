import { startBroker } from '@engawa/embedded';
import { ensureTable } from '@engawa/table';
import { openDynamoDb } from '@engawa/testing';
import { startServiceProcess } from './service-process.ts';
import type { ServiceProcess } from './service-process.ts';

interface Broker {
  url: string;
  close(): Promise<void>;
}

export interface StackOptions {
  broker?: Promise<Broker>;
  mqttVersion?: '5' | '3.1.1';
}

/** The services as processes, with a table and a broker that outlive them. */
export class Stack {
  readonly #environment: Record<string, string>;
  readonly #closers: (() => Promise<void>)[];
  readonly mqttUrl: string;
  ingestion!: ServiceProcess;
  query!: ServiceProcess;

  static async start({
    broker = startBroker(),
    mqttVersion = '3.1.1',
  }: StackOptions = {}): Promise<Stack> {
    const [engine, messages] = await Promise.all([openDynamoDb(), broker]);
    const tableName = engine.tableNamed('engawa');
    await ensureTable({ tableName, endpoint: engine.endpoint, timeoutMs: 60_000 });
    const environment = {
      TABLE_NAME: tableName,
      DYNAMODB_ENDPOINT: engine.endpoint,
      MQTT_URL: messages.url,
      MQTT_VERSION: mqttVersion,
      MQTT_CLIENT_ID: 'ingestion-0',
      CURSOR_SECRET: 'the same for all of this stack, and long',
    };
    const stack = new Stack(messages.url, environment, [
      () => engine.close(),
      () => messages.close(),
    ]);
    [stack.ingestion, stack.query] = await Promise.all([
      stack.startIngestion(),
      stack.#startQuery(),
    ]);
    return stack;
  }

  private constructor(
    mqttUrl: string,
    environment: Record<string, string>,
    closers: (() => Promise<void>)[],
  ) {
    this.mqttUrl = mqttUrl;
    this.#environment = environment;
    this.#closers = closers;
  }

  async startIngestion(): Promise<ServiceProcess> {
    this.ingestion = await startServiceProcess('ingestion', this.#environment);
    return this.ingestion;
  }

  #startQuery(): Promise<ServiceProcess> {
    return startServiceProcess('query', this.#environment);
  }

  async close(): Promise<void> {
    await Promise.all([this.ingestion.end('SIGTERM'), this.query.end('SIGTERM')]);
    for (const close of this.#closers.toReversed()) await close();
  }
}
