import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBroker, startDynamoDb, workspace } from '@engawa/embedded';
import { ensureTable, TableUnreachable } from '@engawa/table';
import { checkPorts } from './addresses.ts';
import { Child } from './child.ts';
import { buildConsole } from './build-console.ts';
import { readableLogLine } from './log-line.ts';
import type { PortVariable, Ports } from './addresses.ts';
import type { Options } from './options.ts';

/** Stopping takes at most five seconds. After its grace period a process is killed. */
const simulatorGraceMs = 1000;
const serviceGraceMs = 2500;
/** The part of its grace period that a service uses for its own shutdown. */
const shutdownTimeoutMs = 2200;
/** A wait that takes longer is reported. */
const reportAfterMs = 2000;

const services = ['ingestion', 'registry', 'query', 'catalog', 'console'] as const;
type ServiceName = (typeof services)[number];

export interface StackOptions extends Options {
  environment: NodeJS.ProcessEnv;
  ports: Ports;
  signal: AbortSignal;
  print: (line: string) => void;
  /** Called if a process ends without `stop`. */
  onEnd: (description: string) => void;
}

/** The processes of the one-machine stack. */
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

  /** Starts all but the simulator. @throws OperatorError for a cause that the user can fix */
  async start(): Promise<void> {
    const { environment, ports, print, signal } = this.#options;
    await checkPorts(ports, this.#neededPorts());
    this.dynamoDbEndpoint = environment['DYNAMODB_ENDPOINT'] ?? (await this.#startDynamoDb());
    this.mqttUrl = environment['MQTT_URL'] ?? (await this.#startBroker());
    print('creating the table …');
    await Promise.all([this.#createTable(), buildConsole({ print, signal })]);
    for (const name of services) this.#startService(name);
    await Promise.all(services.map((name) => this.#ready(name)));
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
    this.#closers.push(() => child.stop(simulatorGraceMs));
  }

  /** In reverse order: the simulator, all services at once, then the broker and the DynamoDB API. */
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
    const { environment, ports, print, signal } = this.#options;
    const dataFile = join(this.dataFolder, 'dynamodb.sqlite');
    const folder = resolve(workspace, environment['ENGINE_FOLDER'] ?? '.engine');
    const engine = await startDynamoDb({
      port: ports.DYNAMODB_PORT,
      dataFile,
      folder,
      environment,
      report: print,
      signal,
    });
    this.#closers.push(() => engine.close());
    return engine.endpoint;
  }

  async #startBroker(): Promise<string> {
    const broker = await startBroker({ port: this.#options.ports.MQTT_PORT });
    this.#closers.push(() => broker.close());
    return broker.url;
  }

  /** Waits for an unreachable DynamoDB API, as the services do. */
  async #createTable(): Promise<void> {
    const { environment, signal, print } = this.#options;
    let reported = '';
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
        if (line !== reported) print(line);
        reported = line;
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
    // One closer for all services: they drain at the same time.
    if (this.#services.push(child) > 1) return;
    this.#closers.push(async () => {
      await Promise.all(this.#services.map((service) => service.stop(serviceGraceMs)));
    });
  }

  #serviceEnvironment(name: ServiceName): NodeJS.ProcessEnv {
    const { environment, ports } = this.#options;
    const prefix = name.toUpperCase() as Uppercase<ServiceName>;
    return {
      AWS_REGION: 'us-east-1',
      // Cursors stay valid across restarts; nothing here is reachable from outside this machine.
      CURSOR_SECRET: 'cursors of the stack on one machine',
      ...environment,
      HOST: '127.0.0.1',
      PORT: String(ports[`${prefix}_PORT`]),
      METRICS_PORT: String(ports[`${prefix}_METRICS_PORT`]),
      MQTT_URL: this.mqttUrl,
      MQTT_VERSION: this.#mqttVersion,
      DYNAMODB_ENDPOINT: this.dynamoDbEndpoint,
      SHUTDOWN_TIMEOUT_MS: String(shutdownTimeoutMs),
      INGESTION_URL: http(ports.INGESTION_PORT),
      REGISTRY_URL: http(ports.REGISTRY_PORT),
      QUERY_URL: http(ports.QUERY_PORT),
      CATALOG_URL: http(ports.CATALOG_PORT),
      INGESTION_METRICS_URL: http(ports.INGESTION_METRICS_PORT),
      REGISTRY_METRICS_URL: http(ports.REGISTRY_METRICS_PORT),
      QUERY_METRICS_URL: http(ports.QUERY_METRICS_PORT),
      CATALOG_METRICS_URL: http(ports.CATALOG_METRICS_PORT),
    };
  }

  async #ready(name: ServiceName): Promise<void> {
    const { ports, signal, print } = this.#options;
    const prefix = name.toUpperCase() as Uppercase<ServiceName>;
    const url = `http://127.0.0.1:${ports[`${prefix}_METRICS_PORT`]}/readyz`;
    const started = Date.now();
    let reported = '';
    for (;;) {
      const missing = await unreadyReasons(url);
      signal.throwIfAborted();
      if (missing === '') return;
      if (missing !== reported && Date.now() - started > reportAfterMs) {
        print(`waiting for ${name}: ${missing}`);
        reported = missing;
      }
      await sleep(50, undefined, { signal });
    }
  }
}

const http = (port: number): string => `http://127.0.0.1:${port}`;

/** Why a service is not ready; empty if it is. */
async function unreadyReasons(readyUrl: string): Promise<string> {
  try {
    const { missing } = (await (await fetch(readyUrl)).json()) as { missing: { reason: string }[] };
    return missing.map(({ reason }) => reason).join(', ');
  } catch {
    return 'it is starting';
  }
}
