import { emqx, hivemq, mochi, mosquitto, rumqttd, vernemq } from './broker/index.ts';
import { Random } from './kernel/index.ts';
import { Life } from './life.ts';
import { Recorder } from './recorder.ts';
import { System } from './world/system.ts';
import type { BrokerProfile } from './broker/index.ts';
import type { Plan } from './plan.ts';
import type { Outcome } from './recorder.ts';
import type { Scale } from './world/environment.ts';
import type { ServiceModules } from './world/load-services.ts';

export interface SeedOptions extends Plan {
  modules: ServiceModules;
  /** Told of every event. */
  trace?: ((line: string) => void) | undefined;
  /** Told of every line that a service logs. */
  log?: ((replica: string, line: string) => void) | undefined;
}

/** 2026-01-01T12:00:00Z: so that no day ends for one replica before it does for another while something happens. */
const beginsAt = 1_767_268_800_000;

/** Of rumqttd only what a single replica needs: it stops serving groups (`docs/brokers.md`). */
export const brokers: readonly BrokerProfile[] = [mosquitto, hivemq, emqx, mochi, vernemq, rumqttd];

/** Plays the life of one system. */
export async function playSeed({ modules, trace, log, ...plan }: SeedOptions): Promise<Outcome> {
  const { seed } = plan;
  const recorder = new Recorder(trace);
  const system = await System.open({
    ...{ seed, modules, beginsAt, ...scaleOf(plan) },
    trace: recorder.trace,
    log: log ?? (() => undefined),
  });
  const life = new Life(system, recorder, plan);
  await life.play();
  const { played } = life;
  const messages = played.steps['devices']?.length ?? 0;
  return recorder.outcome({ seed, played, messages, requests: system.gateway.requests });
}

/** As the seed has it, but for what the plan says. */
function scaleOf({ seed, broker, replicas: given }: Plan): Scale & { profile: BrokerProfile } {
  const random = new Random(seed);
  const drawn = random.pick(brokers);
  const profile = brokers.find(({ name }) => name === broker) ?? drawn;
  const some = () => random.integer(1, 3);
  const drawnReplicas = { ingestion: some(), registry: some(), query: some(), catalog: some() };
  const replicas = { ...drawnReplicas, ...given };
  if (profile === rumqttd) replicas.ingestion = 1;
  return { profile, replicas, keepsGroups: profile.durability.groups === 'kept' };
}
