import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBroker, startDynamoDb, workspace } from '@engawa/embedded';
import { ensureTable, TableUnreachable } from '@engawa/table';
import { checkPorts } from './addresses.ts';
import { Child } from './child.ts';
import { readableLogLine } from './log-line.ts';
import type { PortVariable, Ports } from './addresses.ts';
import type { Options } from './options.ts';

/** Of the five seconds that Ctrl-C may take, in milliseconds. Past its grace a process is killed. */
const simulatorGrace = 1000;
const serviceGrace = 2500;
/** What a service takes for itself of its grace. */
const serviceTimeout = 2200;
/** Milliseconds after which it is said what is being waited for. */
const patience = 2000;

export const services = ['ingestion', 'registry', 'query', 'catalog'] as const;
export type ServiceName = (typeof services)[number];

export interface StackOptions extends Options {
  environment: NodeJS.ProcessEnv;
  ports: Ports;
  /** All, where nothing is said. */
  services?: readonly ServiceName[];
  signal: AbortSignal;
  print: (line: string) => void;
  /** A part of it ended by itself. */
  onEnd: (description: string) => void;
}

/** Everything that runs, and how to end it. */
export class Stack {
  readonly #options: StackOptions;
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #services: Child[] = [];
  readonly dataFolder: string;
  mqttUrl = '';
  dynamoDbEndpoint = '';

  constructor(options: StackOptions) {
    this.#options = options;
    this.dataFolder = resolve(workspace, options.environment['DATA_FOLDER'] ?? '.data');
  }

  /** Starts everything that the simulator needs; rejects with an OperatorError for what the user can mend. */
  async start(): Promise<void> {
    const { environment, ports, print } = this.#options;
    await checkPorts(ports, this.#neededPorts());
    this.dynamoDbEndpoint = environment['DYNAMODB_ENDPOINT'] ?? (await this.#startDynamoDb());
    this.mqttUrl = environment['MQTT_URL'] ?? (await this.#startBroker());
    print('making the table …');
    await this.#makeTable();
    const { services: wanted = services } = this.#options;
    for (const name of wanted) this.#startService(name);
    await Promise.all(wanted.map((name) => this.#ready(name)));
  }

  startSimulator(): void {
    const { environment, ports, print, onEnd } = this.#options;
    const child = new Child({
      name: 'simulator',
      script: 'tools/simulator/src/main.ts',
      environment: {
        ...environment,
        MQTT_URL: this.mqttUrl,
        MQTT_VERSION: this.#mqttVersion,
        REGISTRY_URL: `http://127.0.0.1:${ports.REGISTRY_PORT}`,
      },
      readable: (line) => `simulator: ${line}`,
      print,
      onEnd,
    });
    this.#closers.push(() => child.stop(simulatorGrace));
  }

  /** In reverse: the simulator, the services together, then the broker and the table. */
  async stop(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
  }

  get #mqttVersion(): string {
    const { environment } = this.#options;
    return environment['MQTT_VERSION'] ?? (environment['MQTT_URL'] === undefined ? '3.1.1' : '5');
  }

  #neededPorts(): PortVariable[] {
    const { environment, ports } = this.#options;
    const own = (Object.keys(ports) as PortVariable[]).filter(
      (variable) =>
        !(variable === 'MQTT_PORT' && environment['MQTT_URL'] !== undefined) &&
        !(variable === 'DYNAMODB_PORT' && environment['DYNAMODB_ENDPOINT'] !== undefined),
    );
    return own;
  }

  async #startDynamoDb(): Promise<string> {
    const { ports } = this.#options;
    const dataFile = join(this.dataFolder, 'dynamodb.sqlite');
    const engine = await startDynamoDb({ port: ports.DYNAMODB_PORT, dataFile });
    this.#closers.push(() => engine.close());
    return engine.endpoint;
  }

  async #startBroker(): Promise<string> {
    const broker = await startBroker({ port: this.#options.ports.MQTT_PORT });
    this.#closers.push(() => broker.close());
    return broker.url;
  }

  /** Waits for a DynamoDB API that is not there yet, as the services do. */
  async #makeTable(): Promise<void> {
    const { environment, signal, print } = this.#options;
    let said = '';
    for (;;) {
      try {
        await ensureTable({
          tableName: environment['TABLE_NAME'] ?? 'engawa',
          region: environment['AWS_REGION'] ?? 'us-east-1',
          endpoint: this.dynamoDbEndpoint,
          timeoutMs: 3000,
          signal,
        });
        return;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof TableUnreachable)) throw error;
        const line = `waiting: ${error.message}`;
        if (line !== said) print(line);
        said = line;
        await sleep(1000, undefined, { signal });
      }
    }
  }

  #startService(name: ServiceName): void {
    const { print, verbose, onEnd } = this.#options;
    const child = new Child({
      name,
      script: `apps/${name}/src/main.ts`,
      environment: this.#serviceEnvironment(name),
      readable: (line) => readableLogLine(name, line, verbose),
      print,
      onEnd,
    });
    // One closer for all of them: they can drain at the same time.
    if (this.#services.push(child) > 1) return;
    this.#closers.push(async () => {
      await Promise.all(this.#services.map((service) => service.stop(serviceGrace)));
    });
  }

  #serviceEnvironment(name: ServiceName): NodeJS.ProcessEnv {
    const { environment, ports } = this.#options;
    const prefix = name.toUpperCase() as Uppercase<ServiceName>;
    return {
      AWS_REGION: 'us-east-1',
      // Cursors stay good over a restart; nothing here can be reached from outside this machine.
      CURSOR_SECRET: 'cursors of the stack on one machine',
      ...environment,
      HOST: '127.0.0.1',
      PORT: String(ports[`${prefix}_PORT`]),
      METRICS_PORT: String(ports[`${prefix}_METRICS_PORT`]),
      MQTT_URL: this.mqttUrl,
      MQTT_VERSION: this.#mqttVersion,
      DYNAMODB_ENDPOINT: this.dynamoDbEndpoint,
      SHUTDOWN_TIMEOUT_MS: String(serviceTimeout),
    };
  }

  async #ready(name: ServiceName): Promise<void> {
    const { ports, signal, print } = this.#options;
    const prefix = name.toUpperCase() as Uppercase<ServiceName>;
    const url = `http://127.0.0.1:${ports[`${prefix}_METRICS_PORT`]}/readyz`;
    const started = Date.now();
    let said = '';
    for (;;) {
      const missing = await whatIsMissing(url);
      signal.throwIfAborted();
      if (missing === '') return;
      if (missing !== said && Date.now() - started > patience) {
        print(`waiting for ${name}: ${missing}`);
        said = missing;
      }
      await sleep(50, undefined, { signal });
    }
  }
}

/** What keeps a service from being ready, in words; nothing when it is. */
async function whatIsMissing(readyUrl: string): Promise<string> {
  try {
    const { missing } = (await (await fetch(readyUrl)).json()) as { missing: { reason: string }[] };
    return missing.map(({ reason }) => reason).join(', ');
  } catch {
    return 'it is starting';
  }
}
