import { someOrAll } from '@engawa/testing';
import { playRandomOperations } from './play-random-operations.ts';

it.each(someOrAll([1], [1, 2]))(
  'equals the model after random operations on two replicas, seed %i',
  (seed) => playRandomOperations(seed, 240),
);
