/** Numbers in [0, 1), the same for the same seed (mulberry32, by Tommy Ettinger, public domain). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * The seed of this run, `SEED`: the tests set it, so that they fail because of a change. `SEED=random` looks for cases
 * that no run had, and prints the seed, which repeats them.
 */
export function announcedSeed(test: string): number {
  const { SEED: given = 'random' } = process.env;
  if (given !== 'random') return Number(given);
  const seed = Date.now() % 1_000_000_000;
  process.stdout.write(`${test}: SEED=${seed}\n`);
  return seed;
}
