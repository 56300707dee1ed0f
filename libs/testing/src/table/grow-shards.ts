/** A logical clock that the test advances. */
export class TestClock {
  #steady = 0;

  now = () => ({ wall: 1_000_000_000_000 + this.#steady, steady: this.#steady });

  pass(milliseconds: number): void {
    this.#steady += milliseconds;
  }
}

/** The used part of the shard map of a replica. */
interface GrowingShards<Family> {
  toWrite(family: Family): number;
  toRead(family: Family): Promise<unknown>;
  grow(family: Family, growth: { demand: number; sustainedMs: number }): Promise<unknown>;
}

interface Replica<Family> {
  shards: GrowingShards<Family>;
}

/** Resolves when these replicas write into `count` shards: the first adds them, and all read the new shard map. */
export async function growShards<Family>(
  replicas: readonly [Replica<Family>, ...Replica<Family>[]],
  { families, count, clock }: { families: readonly Family[]; count: number; clock: TestClock },
): Promise<void> {
  const maps = replicas.map(({ shards }) => shards);
  const haveGrown = () =>
    maps.every((shards) => families.every((family) => shards.toWrite(family) >= count));
  while (!haveGrown()) {
    const growth = { demand: 0, sustainedMs: 0 };
    await Promise.all(families.map((family) => replicas[0].shards.grow(family, growth)));
    for (const advanceMs of [5001, 7001]) {
      clock.pass(advanceMs);
      await Promise.all(maps.map((shards) => read(shards, families)));
    }
  }
}

/** Repeated, since a poll that began before the clock was advanced is too old. */
async function read<Family>(
  shards: GrowingShards<Family>,
  families: readonly Family[],
): Promise<void> {
  for (let isKnown = false; !isKnown;) {
    isKnown = await Promise.all(families.map((family) => shards.toRead(family))).then(
      () => true,
      () => false,
    );
  }
}
