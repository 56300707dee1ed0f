import { PlayerProcess } from './player-process.ts';
import { Report } from './report.ts';
import { shrinkWorld } from './shrink-world.ts';
import type { Plan } from '../plan.ts';
import type { PlayedRun } from './played-run.ts';
import type { Options } from './options.ts';

/** Milliseconds between two lines of progress. */
const progressMs = 10_000;

/**
 * Runs all seeds.
 * @returns the number of failed runs
 */
export async function simulate(options: Options, print: (line: string) => void): Promise<number> {
  const { plans, players: count, undo, twice, shrink } = options;
  const began = performance.now();
  const report = new Report(options, print);
  const players = Array.from(
    { length: Math.min(count, plans.length) },
    () => new PlayerProcess(undo),
  );
  const progress = setInterval(() => report.progress(), progressMs);
  const waiting = [...plans];
  let failure: { plan: Plan; outcome: PlayedRun } | undefined;
  const playOn = async (player: PlayerProcess) => {
    for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
      const outcome = await player.play(plan);
      report.take(plan, outcome);
      if (outcome.violations.length > 0) failure ??= { plan, outcome };
      if (twice) report.compare(plan, outcome, await player.play(plan));
      if (shrink && failure !== undefined) waiting.length = 0;
    }
  };
  try {
    await Promise.all(players.map(playOn));
    clearInterval(progress);
    report.end((performance.now() - began) / 1000);
    const [player] = players;
    if (shrink && failure && player) await shrinkWorld({ ...options, ...failure, player, print });
  } finally {
    clearInterval(progress);
    for (const player of players) player.end();
  }
  return report.wrong;
}
