import { playRandomOperations } from './play-random-operations.ts';

const seeds = Number(process.env['SEEDS'] ?? 50);

it(`equals the model after random operations on two replicas, ${seeds} seeds`, async () => {
  for (let seed = 1; seed <= seeds; seed++) await playRandomOperations(seed, 720);
});
