import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBroker, startDynamoDb } from '@engawa/embedded';
import { ensureTable } from '@engawa/table';
import { checkPorts } from './addresses.ts';
import { Child } from './child.ts';
import { readableLogLine } from './log-line.ts';
import type { PortVariable, Ports } from './addresses.ts';
import type { Options } from './options.ts';

const workspace = resolve(import.meta.dirname, '../../..');
export const dataFolder = join(workspace, '.data');

/** Of the five seconds that Ctrl-C may take, in milliseconds: for the services together, and for the rest. */
const serviceGrace = 3000;
const otherGrace = 500;

export const services = ['ingestion', 'registry', 'query'] as const;
export type ServiceName = (typeof services)[number];

export interface StackOptions extends Options {
  environment: NodeJS.ProcessEnv;
  ports: Ports;
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
  mqttUrl = '';
  dynamoDbEndpoint = '';

  constructor(options: StackOptions) {
    this.#options = options;
  }

  /** Starts everything that the simulator needs; rejects with an OperatorError for what the user can mend. */
  async start(): Promise<void> {
    const { environment, ports, print } = this.#options;
    await checkPorts(ports, this.#neededPorts());
    this.dynamoDbEndpoint = environment['DYNAMODB_ENDPOINT'] ?? (await this.#startDynamoDb());
    this.mqttUrl = environment['MQTT_URL'] ?? (await this.#startBroker());
    print('making the table …');
    await ensureTable({
      tableName: environment['TABLE_NAME'] ?? 'engawa',
      region: environment['AWS_REGION'] ?? 'us-east-1',
      endpoint: this.dynamoDbEndpoint,
      timeoutMs: 3000,
      signal: this.#options.signal,
    });
    for (const name of services) this.#startService(name);
    await Promise.all(services.map((name) => this.#ready(name)));
  }

  startSimulator(): void {
    const { environment, ports, print } = this.#options;
    const child = new Child({
      name: 'simulator',
      script: 'tools/simulator/src/main.ts',
      cwd: workspace,
      env: {
        ...environment,
        MQTT_URL: this.mqttUrl,
        MQTT_VERSION: this.#mqttVersion,
        REGISTRY_URL: `http://127.0.0.1:${ports.REGISTRY_PORT}`,
      },
      onLine: (line) => print(`simulator: ${line}`),
      onEnd: (description) => print(description),
    });
    this.#closers.push(() => child.stop(otherGrace));
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
    const dataFile = join(dataFolder, 'dynamodb.sqlite');
    const engine = await startDynamoDb({ port: ports.DYNAMODB_PORT, dataFile });
    this.#closers.push(() => engine.close());
    return engine.endpoint;
  }

  async #startBroker(): Promise<string> {
    const broker = await startBroker({ port: this.#options.ports.MQTT_PORT });
    this.#closers.push(() => broker.close());
    return broker.url;
  }

  #startService(name: ServiceName): void {
    const { print, verbose, onEnd } = this.#options;
    const child = new Child({
      name,
      script: `apps/${name}/src/main.ts`,
      cwd: workspace,
      env: this.#serviceEnvironment(name),
      onLine: (line) => {
        const readable = readableLogLine(name, line, verbose);
        if (readable !== undefined) print(readable);
      },
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
      SHUTDOWN_TIMEOUT_MS: String(serviceGrace),
    };
  }

  async #ready(name: ServiceName): Promise<void> {
    const { ports, signal } = this.#options;
    const prefix = name.toUpperCase() as Uppercase<ServiceName>;
    const url = `http://127.0.0.1:${ports[`${prefix}_METRICS_PORT`]}/readyz`;
    for (;;) {
      const response = await fetch(url, { signal }).catch(() => undefined);
      signal.throwIfAborted();
      if (response?.ok === true) return;
      await sleep(50, undefined, { signal });
    }
  }
}
