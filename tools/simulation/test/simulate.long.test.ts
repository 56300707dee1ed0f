import { scaled } from '@engawa/testing';
import { simulate } from './support/simulate.ts';

/** Environment variables select other worlds: SIMULATION_FIRST=1000 SIMULATION_SEEDS=200 SIMULATION_DAYS=10. */
const { SIMULATION_FIRST: first = '1', SIMULATION_SEEDS: seeds = String(scaled(12)) } = process.env;
const { SIMULATION_DAYS: days = '30' } = process.env;

it(
  `${seeds} runs of ${days} days, from seed ${first}, have no violation`,
  async () => {
    const { text } = await simulate('--first', first, '--seeds', seeds, '--days', days);
    console.log(text.slice(text.search(/^.+ simulated days a second$/m)));
    // The text has the story of each failed world, and the command that repeats the world.
    if (!text.endsWith(`0 of ${seeds} worlds failed\n`)) throw new Error(text);
  },
  24 * 3_600_000,
);
