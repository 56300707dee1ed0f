import { runModel } from './model/run-model.ts';

/** Another one each time, unless it is given. */
const seed = Number(process.env['ENGAWA_MODEL_SEED'] ?? Date.now() % 1_000_000_000);
const questions = 20_000;
const unitLimits = [1, 20, 4000];

it.each(unitLimits)(
  `${questions} answers are those of a plain list of all readings, a third of them for %d units a page (from seed ${seed})`,
  async (unitLimit) => {
    const share = Math.ceil(questions / unitLimits.length);
    expect(await runModel({ questions: share, unitLimit, seed })).toBeGreaterThanOrEqual(share);
  },
);
