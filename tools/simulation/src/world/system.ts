import { createServer } from 'node:net';
import { SignatureV4 } from '@smithy/signature-v4';
import { ensureTable } from '@engawa/table';
import { HttpHandler } from '@engawa/table/http-handler';
import { Broker } from '../broker/index.ts';
import {
  Agenda,
  enterNetwork,
  enterWorld,
  Random,
  settle,
  VirtualNetwork,
  VirtualProcess,
  VirtualSocket,
  wallClock,
} from '../kernel/index.ts';
import { sdkHandler, TableEndpoint, TableModel } from '../table/index.ts';
import { Violation } from './violation.ts';
import { Deployment } from './deployment.ts';
import { drawEnvironment, ports, tableName } from './environment.ts';
import { Gateway } from './gateway.ts';
import { HttpClient } from './http-client.ts';
import { TableDelays } from './table-delays.ts';
import type { ServiceModules } from './load-services.ts';
import type { Scale } from './scale.ts';

export interface SystemOptions extends Scale {
  seed: number;
  modules: ServiceModules;
  /** Called before each event. */
  trace?: ((at: number, label: string) => void) | undefined;
  log: (replica: string, line: string) => void;
}

/** Milliseconds without processes of ingestion; more than the longest difference between their ends. */
const renewalMs = 30_000;
/** Maximum offset (milliseconds) and drift of a replica's clock. */
const clocks = { offsetMs: 2000, drift: 1e-6 };

/** Broker, table and services of one world, connected. */
export class System {
  readonly world: Agenda;
  readonly network: VirtualNetwork;
  readonly broker: Broker;
  readonly table: TableModel;
  readonly delays: TableDelays;
  readonly endpoint: TableEndpoint;
  readonly deployment: Deployment;
  readonly gateway: Gateway;
  readonly scale: Scale;
  readonly #options: SystemOptions;
  readonly #client: HttpClient;

  /** Starts table, broker and services of a new world, which replaces the previous world. */
  static async open(options: SystemOptions): Promise<System> {
    const world = new Agenda(new Random(options.seed));
    const network = new VirtualNetwork();
    enterWorld(world, options.beginsAt);
    enterNetwork(network);
    const delays = new TableDelays(world.random.fork(), options.beginsAt);
    const { indexLagMs, ttlDelayMs } = delays;
    const random = world.random.fork();
    const table = new TableModel({ now: wallClock, random, indexLagMs, ttlDelayMs });
    const endpoint = new TableEndpoint({
      ...{ world, model: table },
      latencyMs: { from: 1, to: 8 },
      transactionMs: { from: 1, to: 15 },
    });
    // Replaces the base of the services' own request handler, which keeps its deadlines and retries.
    SignatureV4.prototype.sign = unsigned;
    HttpHandler.prototype.handle = sdkHandler({ endpoint, now: wallClock });
    const open = { world, network, table, delays, endpoint, options };
    await playUntilDone(open, 'the table is created', () => {
      const endpointUrl = `http://127.0.0.1:${ports.table}`;
      return ensureTable({ tableName, endpoint: endpointUrl, timeoutMs: 3000 });
    });
    return new System(open);
  }

  private constructor({ world, network, table, delays, endpoint, options }: Opened) {
    this.world = world;
    this.network = network;
    this.table = table;
    this.delays = delays;
    this.endpoint = endpoint;
    this.#options = options;
    this.scale = options;
    this.broker = new Broker({ world, profile: options.profile });
    const brokerProcess = new VirtualProcess({ name: 'broker', world });
    brokerProcess.run(() => {
      createServer((socket) => {
        this.broker.accept(socket, socket instanceof VirtualSocket ? socket.peer : undefined);
      }).listen(ports.broker);
    });
    const clockRandom = world.random.fork();
    this.deployment = new Deployment({
      ...{ world, modules: options.modules, replicas: options.replicas, log: options.log },
      environment: drawEnvironment(world.random.fork(), options),
      clock: () => ({
        wallOffsetMs: clockRandom.integer(-clocks.offsetMs, clocks.offsetMs),
        wallDrift: (2 * clockRandom.fraction() - 1) * clocks.drift,
      }),
    });
    this.#client = new HttpClient(world);
    this.gateway = new Gateway({ world, deployment: this.deployment, client: this.#client });
  }

  /** Runs events until the work is done. @throws the work's error, or Violation if the work takes too long */
  play<Result>(what: string, work: () => Promise<Result>, withinMs?: number): Promise<Result> {
    return playUntilDone({ world: this.world, options: this.#options }, what, work, withinMs);
  }

  /** Ends the world: no further events run. */
  end(): void {
    this.network.end();
  }

  /**
   * Restarts ingestion, while the broker forgets all its sessions. To the broker, the new processes are clients that it
   * does not know.
   */
  async renewSessions(): Promise<void> {
    const { deployment, broker, gateway } = this;
    const restarts = deployment
      .replicasOf('ingestion')
      .map((replica) => deployment.restart(replica, renewalMs));
    await Promise.all(restarts);
    broker.expireSessions();
    do await gateway.sleep(renewalMs);
    while (deployment.unready.length > 0);
  }

  /** Runs the events of the next `forMs` milliseconds. */
  async pass(forMs: number): Promise<void> {
    const { trace } = this.#options;
    await this.world.runUntil(this.world.now() + forMs, { settle, ...(trace && { trace }) });
  }
}

/** The simulated table does not check signatures. */
const unsigned = ((request: unknown) => Promise.resolve(request)) as SignatureV4['sign'];

interface Opened {
  world: Agenda;
  network: VirtualNetwork;
  table: TableModel;
  delays: TableDelays;
  endpoint: TableEndpoint;
  options: SystemOptions;
}

async function playUntilDone<Result>(
  { world, options: { trace } }: Pick<Opened, 'world' | 'options'>,
  what: string,
  work: () => Promise<Result>,
  withinMs = 3_600_000,
): Promise<Result> {
  const progress = { isDone: false };
  const result = work().finally(() => (progress.isDone = true));
  // Prevents an unhandled rejection; the result is awaited below.
  result.catch(() => undefined);
  await settle();
  const isEnough = () => progress.isDone;
  const end = world.now() + withinMs;
  if (!isEnough()) await world.runUntil(end, { settle, isEnough, ...(trace && { trace }) });
  if (!isEnough()) throw new Violation(`timeout after ${withinMs} ms: ${what}`);
  return result;
}
