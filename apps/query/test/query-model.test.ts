import { announcedSeed } from '@engawa/testing';
import { runModel } from './model/run-model.ts';

const seed = announcedSeed('query model');

it.each(
  // query-model.long.test.ts asks more.
  [
    [20, 1],
    [40, 20],
    [60, 4000],
  ],
)(
  '%d answers are those of a plain list of all readings, where a page may cost %d units',
  async (questions, unitLimit) => {
    expect(await runModel({ questions, unitLimit, seed: seed + unitLimit })).toBe(questions);
  },
);
