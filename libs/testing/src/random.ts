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

/** The seed of this run: the variable `SEED`, which repeats a failure, or a random one; it is printed. */
export function announcedSeed(test: string): number {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  process.stdout.write(`${test}: SEED=${seed}\n`);
  return seed;
}
