import type { Replica } from '../world/replica.ts';
import type { RandomFault, FaultContext } from './fault.ts';

/** SIGKILL between any two events, for example when out of memory; Kubernetes restarts the container. */
const kill: RandomFault = {
  name: 'kill',
  weight: 6,
  inject: ({ system, random, narrate }) => {
    const replica = choose(system.deployment.replicas, random);
    if (replica === undefined) return;
    const awayMs = random.integer(200, 8000);
    narrate(`${replica.name} is killed, and starts again after ${awayMs} ms`);
    system.deployment.kill(replica, awayMs);
  },
};

/** A rolling update of one service, which restarts one replica at a time. */
const rollOut: RandomFault = {
  name: 'rolling update',
  weight: 2,
  inject: ({ system, random, narrate }) => {
    const { service } = choose(system.deployment.replicas, random) ?? {};
    if (service === undefined) return;
    narrate(`a rolling update of ${service} begins`);
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

/** Pauses a process, as garbage collection or CPU starvation does. */
const pause: RandomFault = {
  name: 'pause',
  weight: 3,
  inject: ({ system, random, narrate }) => {
    const replica = choose(system.deployment.replicas, random);
    const forMs = random.pick([200, 2000, 20_000, 50_000]);
    narrate(`${replica?.name ?? 'no replica'} is paused for ${forMs} ms`);
    replica?.process.pause(forMs);
  },
};

/** NTP corrects a wall clock, forwards or backwards. */
const stepClock: RandomFault = {
  name: 'clock step',
  weight: 1,
  inject: ({ system, random, narrate }) => {
    const replica = choose(system.deployment.replicas, random);
    const byMs = random.integer(-2000, 2000);
    narrate(`the clock of ${replica?.name ?? 'no replica'} steps by ${byMs} ms`);
    replica?.process.stepWallClock(byMs);
  },
};

/** Changes the replica count of a service; of ingestion only with a group, which works with any number of members. */
const scale: RandomFault = {
  name: 'scale',
  weight: 2,
  inject: ({
    system: {
      deployment,
      scale: { sharing },
    },
    random,
    narrate,
  }) => {
    const services = ['registry', 'query', 'catalog'] as const;
    const service = random.pick(
      sharing === 'group' ? ([...services, 'ingestion'] as const) : services,
    );
    const count = random.integer(1, 3);
    narrate(`${service} is scaled to ${count}`);
    deployment.scale(service, count);
  },
};

function choose(replicas: readonly Replica[], random: FaultContext['random']): Replica | undefined {
  return replicas.length === 0 ? undefined : random.pick(replicas);
}

export const processFaults: readonly RandomFault[] = [kill, rollOut, pause, stepClock, scale];
