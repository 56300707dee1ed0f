import { Replica } from './replica.ts';
import { serviceNames } from './load-services.ts';
import type { World } from '../kernel/index.ts';
import type { ServiceModules, ServiceName } from './load-services.ts';

export interface DeploymentOptions {
  world: World;
  modules: ServiceModules;
  /** Number of replicas of each service. */
  replicas: Readonly<Record<ServiceName, number>>;
  /** Settings of each replica of a service. */
  environment: (service: ServiceName, ordinal: number) => Record<string, string>;
  /** Draws the offset and drift of a replica's wall clock. */
  clock: () => { wallOffsetMs: number; wallDrift: number };
  log: (replica: string, line: string) => void;
}

/** TCP port of a service's replica 0; it increases by 1 per replica, and by 100 with each restart of a replica. */
const firstPorts: Readonly<Record<ServiceName, number>> = {
  ingestion: 4000,
  registry: 4010,
  query: 4020,
  catalog: 4030,
};

/** A pod of a StatefulSet, whose processes run one after the other. */
interface StatefulSetSlot {
  service: ServiceName;
  ordinal: number;
  replica: Replica | undefined;
}

/** All replicas of all services. */
export class Deployment {
  readonly #options: DeploymentOptions;
  readonly #places: StatefulSetSlot[] = [];
  /** Capacity units that ended replicas have counted. */
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

  /** The ready replicas of a service, as a load balancer sees them. */
  readyReplicas(service: ServiceName): Replica[] {
    return this.replicasOf(service).filter(({ isReady }) => isReady);
  }

  /** A sentence for each replica that is not ready. */
  get unready(): string[] {
    return this.#places.flatMap(({ service, ordinal, replica }) =>
      replica?.isReady === true
        ? []
        : [`${service}-${ordinal}: ${replica?.unavailableReasons ?? 'not running'}`],
    );
  }

  /** Capacity units that all running and ended replicas have counted (`Replica.consumedUnits`). */
  async consumedUnits(): Promise<Map<string, number>> {
    const sum = new Map(this.#formerUnits);
    for (const { replica } of this.#places) {
      if (replica !== undefined && !this.#former.has(replica))
        addTo(sum, await replica.consumedUnits());
    }
    return sum;
  }

  /** Whether the session belongs to a replica, running or not. Sessions of partitions always do. */
  isServed(clientId: string): boolean {
    const [, ordinal] = /^ingestion-(\d+)$/.exec(clientId) ?? [];
    if (ordinal === undefined) return true;
    return this.#places.some(
      (place) => place.service === 'ingestion' && place.ordinal === Number(ordinal),
    );
  }

  /** Starts additional replicas at once, or stops the last replicas as SIGTERM does. */
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

  /** Kills a replica as SIGKILL does; Kubernetes restarts the container after `awayMs`. */
  kill(replica: Replica, awayMs: number): void {
    replica.kill();
    void this.#keepUnits(replica);
    this.#replace(replica, awayMs);
  }

  /** Restarts a pod as a rolling update does: SIGTERM, then a new process. */
  async restart(replica: Replica, awayMs: number): Promise<void> {
    await replica.stop();
    await this.#keepUnits(replica);
    this.#replace(replica, awayMs);
  }

  /** Keeps the counted units of an ended replica, so that the replica itself can be garbage-collected. */
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
