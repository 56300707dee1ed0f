import { emqx, hivemq, mochi, mosquitto, rumqttd, vernemq } from './broker/index.ts';
import { Random } from './kernel/index.ts';
import { Life } from './life.ts';
import { Recorder } from './recorder.ts';
import { System } from './world/system.ts';
import type { BrokerProfile } from './broker/index.ts';
import type { Outcome } from './recorder.ts';
import type { SystemOptions } from './world/system.ts';
import type { Scale } from './world/environment.ts';
import type { ServiceModules } from './world/load-services.ts';

export interface SeedOptions {
  seed: number;
  days: number;
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
const brokers: readonly BrokerProfile[] = [mosquitto, hivemq, emqx, mochi, vernemq, rumqttd];

type Beginning = Pick<SystemOptions, 'profile' | 'beginsAt'>;

/** Plays the life of one system. */
export async function playSeed({ seed, days, modules, trace, log }: SeedOptions): Promise<Outcome> {
  const recorder = new Recorder(trace);
  const system = await System.open({
    ...{ seed, modules, ...drawScale(new Random(seed)) },
    trace: recorder.trace,
    log: log ?? (() => undefined),
  });
  await new Life(system, recorder).play(days);
  return recorder.outcome(seed);
}

function drawScale(random: Random): Scale & Beginning {
  const profile = random.pick(brokers);
  const some = () => random.integer(1, 3);
  const replicas = {
    ingestion: profile === rumqttd ? 1 : some(),
    registry: some(),
    query: some(),
    catalog: some(),
  };
  const keepsGroups = profile.durability.groups === 'kept';
  const beginsAt = random.pick(beginnings);
  return { profile, replicas, keepsGroups, beginsAt, climateDays: random.pick([0, 1, 1, 3]) };
}
