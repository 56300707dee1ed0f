import { Random } from './kernel/index.ts';
import { Life } from './life.ts';
import { Recorder } from './recorder.ts';
import { drawScale } from './world/scale.ts';
import { System } from './world/system.ts';
import type { Outcome } from './recorder.ts';
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
