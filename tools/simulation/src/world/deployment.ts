import { Replica } from './replica.ts';
import { serviceNames } from './load-services.ts';
import type { World } from '../kernel/index.ts';
import type { ServiceModules, ServiceName } from './load-services.ts';

export interface DeploymentOptions {
  world: World;
  modules: ServiceModules;
  /** How many of each. */
  replicas: Readonly<Record<ServiceName, number>>;
  /** Settings of each replica of a service. */
  environment: (service: ServiceName, ordinal: number) => Record<string, string>;
  /** How a replica's wall clock goes. */
  clock: () => { wallOffsetMs: number; wallDrift: number };
  log: (replica: string, line: string) => void;
}

/** TCP ports of a service's first replica; each replica has one more, and each that takes its place another hundred. */
const firstPorts: Readonly<Record<ServiceName, number>> = {
  ingestion: 4000,
  registry: 4010,
  query: 4020,
  catalog: 4030,
};

/** A place in a StatefulSet: the processes that have run in it one after the other. */
interface StatefulSetSlot {
  service: ServiceName;
  ordinal: number;
  replica: Replica | undefined;
}

/** All replicas of all services. */
export class Deployment {
  readonly #options: DeploymentOptions;
  readonly #places: StatefulSetSlot[] = [];
  /** Of replicas that have ended. */
  readonly #formerUnits = new Map<string, number>();
  readonly #former = new WeakSet<Replica>();

  constructor(options: DeploymentOptions) {
    this.#options = options;
    for (const service of serviceNames) this.scale(service, options.replicas[service]);
  }

  get replicas(): Replica[] {
    return this.#places.flatMap(({ replica }) => (replica?.isAlive === true ? [replica] : []));
  }

  replicasOf(service: ServiceName): Replica[] {
    return this.replicas.filter((replica) => replica.service === service);
  }

  /** Those of a service that are ready, as a load balancer sees them. */
  readyReplicas(service: ServiceName): Replica[] {
    return this.replicasOf(service).filter(({ isReady }) => isReady);
  }

  /** What is not ready, in words; empty where all is. */
  get unready(): string[] {
    return this.#places.flatMap(({ service, ordinal, replica }) =>
      replica?.isReady === true
        ? []
        : [`${service}-${ordinal}: ${replica?.missing ?? 'it is not running'}`],
    );
  }

  /** Capacity units that all replicas have counted, also those that have ended (`Replica.consumedUnits`). */
  async consumedUnits(): Promise<Map<string, number>> {
    const sum = new Map(this.#formerUnits);
    for (const { replica } of this.#places) {
      if (replica !== undefined && !this.#former.has(replica))
        addTo(sum, await replica.consumedUnits());
    }
    return sum;
  }

  /** Whether there is a replica whose session this is, running or not: of a partition there always is. */
  isServed(clientId: string): boolean {
    const [, ordinal] = /^ingestion-(\d+)$/.exec(clientId) ?? [];
    if (ordinal === undefined) return true;
    return this.#places.some(
      (place) => place.service === 'ingestion' && place.ordinal === Number(ordinal),
    );
  }

  /** More replicas start at once; of fewer, the last ones are stopped as by SIGTERM. */
  scale(service: ServiceName, count: number): void {
    const places = this.#places.filter((place) => place.service === service);
    for (const place of places.slice(count)) {
      this.#places.splice(this.#places.indexOf(place), 1);
      void place.replica?.stop().then(() => this.#keepUnits(place.replica));
    }
    for (let ordinal = places.length; ordinal < count; ordinal++) {
      const place: StatefulSetSlot = { service, ordinal, replica: undefined };
      this.#places.push(place);
      this.#start(place);
    }
  }

  /** As SIGKILL, and Kubernetes starts the container again some time later. */
  kill(replica: Replica, awayMs: number): void {
    replica.kill();
    void this.#keepUnits(replica);
    this.#replace(replica, awayMs);
  }

  /** As a rolling update does with one pod: SIGTERM, and then the next process in its place. */
  async restart(replica: Replica, awayMs: number): Promise<void> {
    await replica.stop();
    await this.#keepUnits(replica);
    this.#replace(replica, awayMs);
  }

  /** The replica itself can then be forgotten. */
  async #keepUnits(replica: Replica | undefined): Promise<void> {
    // Two rolling updates may end the same replica.
    if (replica === undefined || this.#former.has(replica)) return;
    this.#former.add(replica);
    addTo(this.#formerUnits, await replica.consumedUnits());
  }

  #replace(replica: Replica, awayMs: number): void {
    const place = this.#places.find((candidate) => candidate.replica === replica);
    if (place === undefined) return;
    this.#options.world.schedule(awayMs, 'a replica starts', () => {
      if (this.#places.includes(place) && place.replica === replica) this.#start(place);
    });
  }

  #start(place: StatefulSetSlot): void {
    const { world, modules, environment, clock, log } = this.#options;
    const { service, ordinal } = place;
    const name = `${service}-${ordinal}`;
    place.replica = new Replica({
      ...{ service, modules, name, world, ...clock() },
      environment: environment(service, ordinal),
      port: firstPorts[service] + ordinal,
      log: (line) => log(name, line),
    });
  }
}

function addTo(sum: Map<string, number>, units: ReadonlyMap<string, number>): void {
  for (const [what, more] of units) sum.set(what, (sum.get(what) ?? 0) + more);
}
