import { runModel } from './model/run-model.ts';
const seed = Number(process.env['SEED']);
it.each([[600, 1],[900, 20],[2500, 4000]])('%d %d', async (questions, unitLimit) => {
  expect(await runModel({ questions, unitLimit, seed: seed + unitLimit })).toBe(questions);
}, 3_600_000);
