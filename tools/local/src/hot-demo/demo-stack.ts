import { Simulator } from '@engawa/dynamodb-simulator';
import { startDynamoDb } from '@engawa/embedded';
import { Stack } from '../stack.ts';
import { freePorts } from './free-ports.ts';
import type { ServiceName } from '../stack.ts';

/** Write units a second that a partition key takes here, where DynamoDB's takes 1,000: this machine can exceed it. */
export const limit = 20;
/** Seconds of unused capacity that a key saves up; DynamoDB's 300 would have to be used up first. */
const burstSeconds = 1;

const services: readonly ServiceName[] = ['ingestion', 'registry', 'query'];

export interface DemoStackOptions {
  /** Whether hot keys get more shards. */
  relief: boolean;
  signal: AbortSignal;
  print: (line: string) => void;
  onEnd: (description: string) => void;
}

/** A part of the usual stack, on free ports, with its table in memory behind a simulator that throttles as AWS does. */
export class DemoStack {
  readonly #options: DemoStackOptions;
  readonly #closers: (() => Promise<void>)[] = [];
  mqttUrl = '';
  simulatorUrl = '';
  /** Of the services' APIs and of their metrics. */
  urls!: Record<'ingestion' | 'registry' | 'query', { api: string; metrics: string }>;

  constructor(options: DemoStackOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const engine = await startDynamoDb();
    this.#closers.push(() => engine.close());
    const limits = { partition: { write: limit }, burstSeconds };
    const simulator = await Simulator.start({ upstream: engine.endpoint, limits });
    this.#closers.push(() => simulator.close());
    this.simulatorUrl = simulator.endpoint;
    const ports = await freePorts();
    const url = (port: number): string => `http://127.0.0.1:${port}`;
    this.urls = {
      ingestion: { api: url(ports.INGESTION_PORT), metrics: url(ports.INGESTION_METRICS_PORT) },
      registry: { api: url(ports.REGISTRY_PORT), metrics: url(ports.REGISTRY_METRICS_PORT) },
      query: { api: url(ports.QUERY_PORT), metrics: url(ports.QUERY_METRICS_PORT) },
    };
    const stack = new Stack({
      ...this.#options,
      simulator: false,
      verbose: false,
      help: false,
      ports,
      services,
      environment: this.#environment(),
      // What services warn of is the story, which is told better; and that the table is made is not worth a line.
      print: (line) => {
        if (/: (error|fatal): /.test(line)) this.#options.print(line);
      },
    });
    this.#closers.push(() => stack.stop());
    await stack.start();
    this.mqttUrl = stack.mqttUrl;
  }

  async stop(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
  }

  /** Nothing of the user's own: where that names a table or a broker, it is not for playing with. */
  #environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      TABLE_NAME: 'engawa-demo',
      DYNAMODB_ENDPOINT: this.simulatorUrl,
      PARTITION_WRITE_LIMIT: String(limit),
      SHARD_GROWTH: this.#options.relief ? 'on' : 'off',
      RATE_LIMIT_PER_MINUTE: '0',
      // A reading is written when it comes: nothing here waits for anything but the table.
      LINGER_MS: '0',
    };
  }
}
