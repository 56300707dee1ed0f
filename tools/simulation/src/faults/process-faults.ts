import type { Replica } from '../world/replica.ts';
import type { Fault, FaultContext } from './fault.ts';

/** SIGKILL between any two events, as of memory that runs out; Kubernetes starts the container again. */
const kill: Fault = {
  name: 'kill',
  weight: 6,
  inject: ({ system, random, tell }) => {
    const replica = choose(system.deployment.replicas, random);
    if (replica === undefined) return;
    const awayMs = random.integer(200, 8000);
    tell(`${replica.name} is killed, and starts again after ${awayMs} ms`);
    system.deployment.kill(replica, awayMs);
  },
};

/** A rolling update of one service: one replica after the other. */
const rollOut: Fault = {
  name: 'roll out',
  weight: 2,
  inject: ({ system, random, tell }) => {
    const { service } = choose(system.deployment.replicas, random) ?? {};
    if (service === undefined) return;
    tell(`a new release of ${service} is rolled out`);
    void rollOutService(system, service);
  },
};

async function rollOutService(
  { deployment, gateway }: FaultContext['system'],
  service: Replica['service'],
): Promise<void> {
  for (const replica of deployment.replicasOf(service)) {
    if (!replica.isAlive) continue;
    await deployment.restart(replica, 500);
    await gateway.sleep(3000);
  }
}

/** Garbage collection, or CPU starvation: the process is paused for some time. */
const pause: Fault = {
  name: 'pause',
  weight: 3,
  inject: ({ system, random, tell }) => {
    const replica = choose(system.deployment.replicas, random);
    const forMs = random.pick([200, 2000, 20_000, 50_000]);
    tell(`${replica?.name ?? 'nobody'} stands still for ${forMs} ms`);
    replica?.process.pause(forMs);
  },
};

/** NTP corrects a wall clock, forwards or backwards. */
const stepClock: Fault = {
  name: 'step of a clock',
  weight: 1,
  inject: ({ system, random, tell }) => {
    const replica = choose(system.deployment.replicas, random);
    const byMs = random.integer(-2000, 2000);
    tell(`the clock of ${replica?.name ?? 'nobody'} steps by ${byMs} ms`);
    replica?.process.stepWallClock(byMs);
  },
};

/** Adds or removes a replica of a service; of ingestion only if replicas share a group, which any number may join. */
const scale: Fault = {
  name: 'scale',
  weight: 2,
  inject: ({
    system: {
      deployment,
      scale: { sharing },
    },
    random,
    tell,
  }) => {
    const services = ['registry', 'query', 'catalog'] as const;
    const service = random.pick(
      sharing === 'group' ? ([...services, 'ingestion'] as const) : services,
    );
    const count = random.integer(1, 3);
    tell(`${service} is scaled to ${count}`);
    deployment.scale(service, count);
  },
};

function choose(replicas: readonly Replica[], random: FaultContext['random']): Replica | undefined {
  return replicas.length === 0 ? undefined : random.pick(replicas);
}

export const processFaults: readonly Fault[] = [kill, rollOut, pause, stepClock, scale];
