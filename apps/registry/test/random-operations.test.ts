import { playRandomOperations } from './play-random-operations.ts';

it.each([1, 2])('equals the model after random operations on two replicas, seed %i', (seed) =>
  playRandomOperations(seed, 240),
);
