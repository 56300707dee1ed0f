import { emqx, hivemq, mochi, mosquitto, rumqttd, vernemq } from './broker/index.ts';
import { Random } from './kernel/index.ts';
import { Life } from './life.ts';
import { Recorder } from './recorder.ts';
import { System } from './world/system.ts';
import type { BrokerProfile } from './broker/index.ts';
import type { Outcome } from './recorder.ts';
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

/** 2026-01-01T12:00:00Z: so that no day ends for one replica before it does for another while something happens. */
const beginsAt = 1_767_268_800_000;

/** Of rumqttd only what a single replica needs: it stops serving groups (`docs/brokers.md`). */
const brokers: readonly BrokerProfile[] = [mosquitto, hivemq, emqx, mochi, vernemq, rumqttd];

/** Plays the life of one system. */
export async function playSeed({ seed, days, modules, trace, log }: SeedOptions): Promise<Outcome> {
  const recorder = new Recorder(trace);
  const system = await System.open({
    ...{ seed, modules, beginsAt, ...drawScale(new Random(seed)) },
    trace: recorder.trace,
    log: log ?? (() => undefined),
  });
  await new Life(system, recorder).play(days);
  return recorder.outcome(seed);
}

function drawScale(random: Random): Scale & { profile: BrokerProfile } {
  const profile = random.pick(brokers);
  const some = () => random.integer(1, 3);
  const replicas = {
    ingestion: profile === rumqttd ? 1 : some(),
    registry: some(),
    query: some(),
    catalog: some(),
  };
  const keepsGroups = profile.durability.groups === 'kept';
  return { profile, replicas, keepsGroups, climateDays: random.pick([0, 1, 1, 3]) };
}
