import { PlayerProcess } from './player-process.ts';
import type { Played } from './assignment.ts';
import type { Options } from './options.ts';

/** Milliseconds between two lines on how far it is. */
const progressMs = 10_000;
/** Sentences that are told of a world where something is wrong: the last ones. */
const toldSentences = 200;

/** Plays all seeds. @returns how many worlds went wrong */
export async function simulate(options: Options, print: (line: string) => void): Promise<number> {
  const { first, seeds, days, players: count, undo } = options;
  const began = performance.now();
  const report = new Report(options, print);
  const players = Array.from({ length: Math.min(count, seeds) }, () => new PlayerProcess(undo));
  const progress = setInterval(() => report.progress(), progressMs);
  let next = first;
  const playOn = async (player: PlayerProcess) => {
    while (next < first + seeds) {
      const seed = next++;
      const played = await player.play({ seed, days });
      report.take(played);
      if (options.twice) report.compare(played, await player.play({ seed, days }));
    }
  };
  try {
    await Promise.all(players.map(playOn));
  } finally {
    clearInterval(progress);
    for (const player of players) player.end();
  }
  report.end((performance.now() - began) / 1000);
  return report.wrong;
}

class Report {
  readonly #options: Options;
  readonly #print: (line: string) => void;
  #played = 0;
  #events = 0;
  wrong = 0;

  constructor(options: Options, print: (line: string) => void) {
    this.#options = options;
    this.#print = print;
  }

  take({ seed, faults, story, events }: Played): void {
    this.#played += 1;
    this.#events += events;
    const { story: tellsAll, undo, days } = this.#options;
    if (faults.length === 0 && !tellsAll) return;
    for (const sentence of tellsAll ? story : story.slice(-toldSentences)) this.#print(sentence);
    if (faults.length === 0) return;
    this.wrong += 1;
    for (const fault of faults) this.#print(`WRONG ${fault}`);
    const again = `--first ${seed} --seeds 1 --days ${days}${undo ? ` --undo ${undo}` : ''}`;
    this.#print(`seed ${seed} again: npm run simulate -- ${again}`);
  }

  compare(one: Played, other: Played): void {
    if (one.digest === other.digest) return;
    this.wrong += 1;
    this.#print(`WRONG seed ${one.seed} had two traces: ${one.events} and ${other.events} events`);
  }

  progress(): void {
    this.#print(`${this.#played} of ${this.#options.seeds} worlds, ${this.wrong} wrong …`);
  }

  end(seconds: number): void {
    const { seeds, days, first } = this.#options;
    const rate = (seeds * days) / seconds;
    this.#print(
      `seeds ${first} to ${first + seeds - 1}, ${days} days each: ${this.#events} events, ${rate.toFixed(1)} simulated days a second`,
    );
    this.#print(`${this.wrong} of ${seeds} worlds went wrong`);
  }
}
