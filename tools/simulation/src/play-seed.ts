import { Random } from './kernel/index.ts';
import { SystemRun } from './system-run.ts';
import { Recorder } from './recorder.ts';
import { drawScale } from './world/scale.ts';
import { System } from './world/system.ts';
import type { Plan } from './plan.ts';
import type { RunOutcome } from './recorder.ts';
import type { ServiceModules } from './world/load-services.ts';

export interface SeedOptions extends Plan {
  modules: ServiceModules;
  /** Called for every event. */
  trace?: ((line: string) => void) | undefined;
  /** Called for every line that a service logs. */
  log?: ((replica: string, line: string) => void) | undefined;
}

/** Runs one plan. */
export async function playSeed({ modules, trace, log, ...plan }: SeedOptions): Promise<RunOutcome> {
  const { seed } = plan;
  const recorder = new Recorder(trace);
  const system = await System.open({
    ...{ seed, modules, ...drawScale(new Random(seed), plan) },
    trace: recorder.trace,
    log: log ?? (() => undefined),
  });
  const run = new SystemRun(system, recorder, plan);
  await run.play();
  system.end();
  const { played } = run;
  const messages = played.steps['devices']?.length ?? 0;
  return recorder.outcome({ seed, played, messages, requests: system.gateway.requests });
}
