import { Shrinker } from '../shrink/shrinker.ts';
import { argumentsOf } from './report.ts';
import type { Plan } from '../plan.ts';
import type { Played } from './played.ts';
import type { PlayerProcess } from './player-process.ts';

export interface ShrinkWorldOptions {
  plan: Plan;
  /** Of that plan; something is wrong. */
  outcome: Played;
  player: PlayerProcess;
  /** At most. */
  plays: number;
  undo: string | undefined;
  print: (line: string) => void;
}

/** Milliseconds between two lines on how far it is. */
const progressMs = 5000;

/** Shrinks a failed run, and prints its story. */
export async function shrinkWorld(options: ShrinkWorldOptions): Promise<void> {
  const { plan, outcome, player, plays: maxPlays, print } = options;
  const shrinker = new Shrinker({ plan, outcome, maxPlays, play: (one) => player.play(one) });
  const tell = () => {
    print(`${shrinker.plays} of at most ${maxPlays} plays: ${sizeOf(shrinker.outcome)} …`);
  };
  print(`shrinking ${sizeOf(outcome)}, which went wrong like this: ${shrinker.kind}`);
  const progress = setInterval(tell, progressMs);
  try {
    await shrinker.shrink();
  } finally {
    clearInterval(progress);
  }
  tellResult(shrinker, options);
}

function tellResult(
  { plan, outcome, plays }: Shrinker<Played>,
  { undo, print }: Pick<ShrinkWorldOptions, 'undo' | 'print'>,
): void {
  print(`the shortest story after ${plays} plays, ${sizeOf(outcome)}:`);
  for (const sentence of outcome.story) print(sentence);
  for (const violation of outcome.violations) print(`WRONG ${violation}`);
  print(`again: npm run simulate -- ${argumentsOf(plan, undo)}`);
}

/** In words. */
function sizeOf({ played: { days, faults, steps }, story, seconds }: Played): string {
  const ofActors = Object.entries(steps).map(([actor, ids]) => `${ids.length} steps of ${actor}`);
  const parts = [`${days} days`, `${faults.length} faults`, ...ofActors];
  return `${parts.join(', ')} (${story.length} sentences, ${seconds.toFixed(1)} s)`;
}
