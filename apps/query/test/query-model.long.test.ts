import { announcedSeed } from '@engawa/testing';
import { runModel } from './model/run-model.ts';

const seed = announcedSeed('query model');

/** The largest takes a third of it on two idle cores: a question of aggregates is asked of two parts as well. */
const hourMs = 3_600_000;

it.each([
  [1000, 1],
  [3000, 20],
  [8000, 4000],
])(
  `%d answers are those of a plain list of all readings, where a page may cost %d units (from seed ${seed})`,
  async (questions, unitLimit) => {
    expect(await runModel({ questions, unitLimit, seed })).toBe(questions);
  },
  hourMs,
);
