import { announcedSeed, scaled } from '@engawa/testing';
import { runModel } from './model/run-model.ts';

const seed = announcedSeed('query model');

/** Far more than it takes: a question of aggregates is asked of two parts as well. */
const hourMs = 3_600_000;

it.each([
  [scaled(100), 1],
  [scaled(300), 20],
  [scaled(1000), 4000],
])(
  `%d answers are those of a plain list of all readings, where a page may cost %d units (from seed ${seed})`,
  async (questions, unitLimit) => {
    expect(await runModel({ questions, unitLimit, seed })).toBe(questions);
  },
  hourMs,
);
