import { Random } from './kernel/index.ts';
import { Life } from './life.ts';
import { Recorder } from './recorder.ts';
import { drawScale } from './world/scale.ts';
import { System } from './world/system.ts';
import type { Plan } from './plan.ts';
import type { Outcome } from './recorder.ts';
import type { ServiceModules } from './world/load-services.ts';

export interface SeedOptions extends Plan {
  modules: ServiceModules;
  /** Told of every event. */
  trace?: ((line: string) => void) | undefined;
  /** Told of every line that a service logs. */
  log?: ((replica: string, line: string) => void) | undefined;
}

/** Plays the life of one system. */
export async function playSeed({ modules, trace, log, ...plan }: SeedOptions): Promise<Outcome> {
  const { seed } = plan;
  const recorder = new Recorder(trace);
  const system = await System.open({
    ...{ seed, modules, ...drawScale(new Random(seed), plan) },
    trace: recorder.trace,
    log: log ?? (() => undefined),
  });
  const life = new Life(system, recorder, plan);
  await life.play();
  system.end();
  const { played } = life;
  const messages = played.steps['devices']?.length ?? 0;
  return recorder.outcome({ seed, played, messages, requests: system.gateway.requests });
}
