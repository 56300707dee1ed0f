import { runModel } from './model/run-model.ts';

const seed = Number(process.env['ENGAWA_MODEL_SEED'] ?? 1);

it.each([1, 20, 4000])(
  'answers are those of a plain list of all readings, where a page may cost %d units',
  async (unitLimit) => {
    expect(await runModel({ questions: 200, unitLimit, seed })).toBe(200);
  },
);
