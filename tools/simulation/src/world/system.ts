import { createServer } from 'node:net';
import { ensureTable } from '@engawa/table';
import { Broker } from '../broker/index.ts';
import {
  Agenda,
  enterNetwork,
  enterWorld,
  Random,
  settle,
  VirtualNetwork,
  VirtualProcess,
  wallClock,
} from '../kernel/index.ts';
import { createTableServer, TableEndpoint, TableModel } from '../table/index.ts';
import { Violation } from '../oracles/violation.ts';
import { Deployment } from './deployment.ts';
import { drawEnvironment, ports, tableName } from './environment.ts';
import { Gateway } from './gateway.ts';
import { HttpClient } from './http-client.ts';
import type { ServiceModules } from './load-services.ts';
import type { Scale } from './scale.ts';

export interface SystemOptions extends Scale {
  seed: number;
  modules: ServiceModules;
  /** Wall-clock time at which it begins (epoch milliseconds). */
  beginsAt: number;
  /** Called before each event. */
  trace?: ((at: number, label: string) => void) | undefined;
  log: (replica: string, line: string) => void;
}

/** Milliseconds by which the clock of a replica may be off, and how fast it may drift. */
const clocks = { offsetMs: 2000, drift: 1e-6 };

/** Broker, table and services of one world, connected. */
export class System {
  readonly world: Agenda;
  readonly network: VirtualNetwork;
  readonly broker: Broker;
  readonly table: TableModel;
  readonly endpoint: TableEndpoint;
  readonly deployment: Deployment;
  readonly gateway: Gateway;
  readonly scale: Scale;
  readonly #options: SystemOptions;
  readonly #client: HttpClient;

  /** Everything has been started, and nothing has happened yet. The world that was played before is gone. */
  static async open(options: SystemOptions): Promise<System> {
    const world = new Agenda(new Random(options.seed));
    const network = new VirtualNetwork();
    enterWorld(world, options.beginsAt);
    enterNetwork(network);
    const table = new TableModel({ now: wallClock, random: world.random.fork() });
    const endpoint = new TableEndpoint({
      ...{ world, model: table },
      latencyMs: { from: 1, to: 8 },
      transactionMs: { from: 1, to: 15 },
    });
    const tableProcess = new VirtualProcess({ name: 'table', world });
    tableProcess.run(() => createTableServer(endpoint, { now: wallClock }).listen(ports.table));
    const open = { world, network, table, endpoint, options };
    await playUntilDone(open, 'the table is made', () => {
      const endpointUrl = `http://127.0.0.1:${ports.table}`;
      return ensureTable({ tableName, endpoint: endpointUrl, timeoutMs: 3000 });
    });
    return new System(open);
  }

  private constructor({ world, network, table, endpoint, options }: Opened) {
    this.world = world;
    this.network = network;
    this.table = table;
    this.endpoint = endpoint;
    this.#options = options;
    this.scale = options;
    this.broker = new Broker({ world, profile: options.profile });
    const brokerProcess = new VirtualProcess({ name: 'broker', world });
    brokerProcess.run(() => {
      createServer((socket) => this.broker.accept(socket)).listen(ports.broker);
    });
    const { random } = world;
    this.deployment = new Deployment({
      ...{ world, modules: options.modules, replicas: options.replicas, log: options.log },
      environment: drawEnvironment(random.fork(), options),
      clock: () => ({
        wallOffsetMs: random.integer(-clocks.offsetMs, clocks.offsetMs),
        wallDrift: (2 * random.fraction() - 1) * clocks.drift,
      }),
    });
    this.#client = new HttpClient(world);
    this.gateway = new Gateway({ world, deployment: this.deployment, client: this.#client });
  }

  /** Plays until the work is done. @throws what it throws, and Violation where it does not end in time */
  play<Result>(what: string, work: () => Promise<Result>, withinMs?: number): Promise<Result> {
    return playUntilDone({ world: this.world, options: this.#options }, what, work, withinMs);
  }

  /** Plays so many milliseconds. */
  async pass(forMs: number): Promise<void> {
    const { trace } = this.#options;
    await this.world.runUntil(this.world.now() + forMs, { settle, ...(trace && { trace }) });
  }
}

interface Opened {
  world: Agenda;
  network: VirtualNetwork;
  table: TableModel;
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
  // It is awaited below, also where it has failed.
  result.catch(() => undefined);
  await settle();
  const isEnough = () => progress.isDone;
  const end = world.now() + withinMs;
  if (!isEnough()) await world.runUntil(end, { settle, isEnough, ...(trace && { trace }) });
  if (!isEnough()) throw new Violation(`it takes more than ${withinMs} ms: ${what}`);
  return result;
}
