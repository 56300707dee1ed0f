import { Shrinker } from '../shrink/shrinker.ts';
import { argumentsOf } from './report.ts';
import type { Plan } from '../plan.ts';
import type { PlayedRun } from './played-run.ts';
import type { PlayerProcess } from './player-process.ts';

export interface ShrinkWorldOptions {
  plan: Plan;
  /** The outcome of the plan, with at least one violation. */
  outcome: PlayedRun;
  player: PlayerProcess;
  /** Maximum number of runs. */
  plays: number;
  undo: string | undefined;
  print: (line: string) => void;
}

/** Milliseconds between two lines of progress. */
const progressMs = 5000;

/** Shrinks a failed run, and prints its story. */
export async function shrinkWorld(options: ShrinkWorldOptions): Promise<void> {
  const { plan, outcome, player, plays: maxPlays, print } = options;
  const shrinker = new Shrinker({ plan, outcome, maxPlays, play: (one) => player.play(one) });
  const printProgress = () => {
    print(`${shrinker.plays} of at most ${maxPlays} runs: ${sizeOf(shrinker.outcome)} …`);
  };
  print(`shrinking ${sizeOf(outcome)}, kind of violation: ${shrinker.kind}`);
  const progress = setInterval(printProgress, progressMs);
  try {
    await shrinker.shrink();
  } finally {
    clearInterval(progress);
  }
  tellResult(shrinker, options);
}

function tellResult(
  { plan, outcome, plays }: Shrinker<PlayedRun>,
  { undo, print }: Pick<ShrinkWorldOptions, 'undo' | 'print'>,
): void {
  print(`the smallest failing run after ${plays} runs, ${sizeOf(outcome)}:`);
  for (const sentence of outcome.story) print(sentence);
  for (const violation of outcome.violations) print(`WRONG ${violation}`);
  print(`to repeat it: npm run simulate -- ${argumentsOf(plan, undo)}`);
}

/** Describes the size of a run in words. */
function sizeOf({ played: { days, faults, steps }, story, seconds }: PlayedRun): string {
  const ofActors = Object.entries(steps).map(([actor, ids]) => `${ids.length} steps of ${actor}`);
  const parts = [`${days} days`, `${faults.length} faults`, ...ofActors];
  return `${parts.join(', ')} (${story.length} sentences, ${seconds.toFixed(1)} s)`;
}
