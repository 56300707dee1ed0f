import { Shrinker } from '../shrink/shrinker.ts';
import { argumentsOf } from './report.ts';
import { saveStory } from './story-file.ts';
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
  /** The file to which the story is written. */
  save: string | undefined;
  print: (line: string) => void;
}

/** Milliseconds between two lines on how far it is. */
const progressMs = 5000;

/** Shrinks a world that went wrong, and tells its story and how to make it a test. */
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
  { plan, outcome, plays, kind }: Shrinker<Played>,
  { undo, save, print }: Pick<ShrinkWorldOptions, 'undo' | 'save' | 'print'>,
): void {
  print(`the shortest story after ${plays} plays, ${sizeOf(outcome)}:`);
  for (const sentence of outcome.story) print(sentence);
  for (const fault of outcome.faults) print(`WRONG ${fault}`);
  print(`again: npm run simulate -- ${argumentsOf(plan, undo)}`);
  if (save === undefined) {
    print('as a test: the same with --save tools/simulation/test/stories/NAME.json');
  } else {
    saveStory(save, { about: kind, undo, wrong: kind, plan });
    print(`it is a test now: say in ${save} what it is about, and format it with prettier`);
  }
}

/** In words. */
function sizeOf({ played: { days, faults, steps }, story, seconds }: Played): string {
  const ofActors = Object.entries(steps).map(([actor, ids]) => `${ids.length} steps of ${actor}`);
  const parts = [`${days} days`, `${faults.length} faults`, ...ofActors];
  return `${parts.join(', ')} (${story.length} sentences, ${seconds.toFixed(1)} s)`;
}
