import { scaled } from '@engawa/testing';
import { playRandomOperations } from './play-random-operations.ts';

const seeds = scaled(10);

it(`equals the model after random operations on two replicas, ${seeds} seeds`, async () => {
  for (let seed = 1; seed <= seeds; seed++) await playRandomOperations(seed, 720);
});
