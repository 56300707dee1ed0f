import { emqx, hivemq, mochi, mosquitto, rumqttd, vernemq } from './broker/index.ts';
import { Random } from './kernel/index.ts';
import { Life } from './life.ts';
import { Recorder } from './recorder.ts';
import { System } from './world/system.ts';
import type { BrokerProfile } from './broker/index.ts';
import type { Plan } from './plan.ts';
import type { Outcome } from './recorder.ts';
import type { SystemOptions } from './world/system.ts';
import type { Scale } from './world/environment.ts';
import type { ServiceModules } from './world/load-services.ts';

export interface SeedOptions extends Plan {
  modules: ServiceModules;
  /** Told of every event. */
  trace?: ((line: string) => void) | undefined;
  /** Told of every line that a service logs. */
  log?: ((replica: string, line: string) => void) | undefined;
}

/**
 * At noon, so that no day ends for one replica before it does for another while something happens. Two days before clocks change in
 * Europe/Berlin (2025-10-26, 2026-03-29) or America/St_Johns (2025-11-02, 2026-03-08), or in the new year.
 */
const beginnings = ['2026-01-01', '2025-10-24', '2025-10-31', '2026-03-06', '2026-03-27'].map(
  (day) => Date.parse(`${day}T12:00:00Z`),
);

/** Of rumqttd only what a single replica needs: it stops serving groups (`docs/brokers.md`). */
export const brokers: readonly BrokerProfile[] = [mosquitto, hivemq, emqx, mochi, vernemq, rumqttd];

type Beginning = Pick<SystemOptions, 'profile' | 'beginsAt'>;

/** Plays the life of one system. */
export async function playSeed({ modules, trace, log, ...plan }: SeedOptions): Promise<Outcome> {
  const { seed } = plan;
  const recorder = new Recorder(trace);
  const system = await System.open({
    ...{ seed, modules, ...scaleOf(plan) },
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
function scaleOf({ seed, broker, replicas: given }: Plan): Scale & Beginning {
  const random = new Random(seed);
  const drawn = random.pick(brokers);
  const profile = brokers.find(({ name }) => name === broker) ?? drawn;
  const some = () => random.integer(1, 3);
  const drawnReplicas = { ingestion: some(), registry: some(), query: some(), catalog: some() };
  const replicas = { ...drawnReplicas, ...given };
  if (profile === rumqttd) replicas.ingestion = 1;
  const keepsGroups = profile.durability.groups === 'kept';
  const beginsAt = random.pick(beginnings);
  return { profile, replicas, keepsGroups, beginsAt, climateDays: random.pick([0, 1, 1, 3]) };
}
