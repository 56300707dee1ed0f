import { simulate } from './support/simulate.ts';

/**
 * Other worlds: SIMULATION_FIRST=1000 SIMULATION_SEEDS=200 SIMULATION_DAYS=10. With the worlds that
 * are here, the test takes some three minutes on two cores.
 */
const { SIMULATION_FIRST: first = '1', SIMULATION_SEEDS: seeds = '50' } = process.env;
const { SIMULATION_DAYS: days = '30' } = process.env;

it(
  `${seeds} runs of ${days} days from seed ${first} on have no violation`,
  async () => {
    const { text } = await simulate('--first', first, '--seeds', seeds, '--days', days);
    console.log(text.slice(text.search(/^.+ simulated days a second$/m)));
    // With the story and the command of each world that went wrong.
    if (!text.endsWith(`0 of ${seeds} worlds went wrong\n`)) throw new Error(text);
  },
  24 * 3_600_000,
);
