import { randomFrom } from '@engawa/testing';
import { checkpoint } from './checkpoint.ts';
import { send } from './client.ts';
import { changeTypes, kill } from './disturbances.ts';
import { Ledger } from './ledger.ts';
import { Report } from './report.ts';
import { artistType, ownNames, trackType } from './types.ts';
import { CatalogStack } from './catalog-stack.ts';
import { Writer } from './writer.ts';
import type { Options } from './options.ts';

/** Milliseconds of writing between two comparisons of all data. */
const roundMs = 60_000;
const progressMs = 10_000;

/** Writes until the configured time is over; compares all data after each round. */
export async function fuzz(options: Options, print: (line: string) => void): Promise<Report> {
  const { minutes, writers: count, seed } = options;
  print(
    `--minutes ${minutes} --writers ${count} --kill-every ${options.killEverySeconds} --seed ${seed}`,
  );
  const report = new Report(print);
  const stack = await CatalogStack.open(seed);
  const progress = setInterval(() => print(report.summary()), progressMs);
  try {
    await declareTypes(stack);
    const owned = Array.from({ length: count }, (_, number) => ownNames(number));
    const artists = owned.flat().filter(({ type }) => type === 'Artist');
    const ledger = new Ledger(owned.flat());
    const writers = owned.map(
      (own, number) =>
        new Writer({
          number,
          own,
          artists,
          stack,
          ledger,
          report,
          random: randomFrom(seed + number),
        }),
    );
    await Promise.all(writers.map((writer) => writer.begin()));
    for (let left = minutes * 60_000, round = 1; left > 0; left -= roundMs, round++) {
      await play({ ...options, stack, report, writers, round, lasts: Math.min(roundMs, left) });
      print('writers are paused; comparing the stored data with the acknowledged writes …');
      const settled = left > roundMs ? 'most' : 'all';
      await checkpoint({ stack, ledger, report, settled });
    }
    report.count('conflicts', stack.simulator.counters.read().faults['conflict'] ?? 0);
    print(report.summary());
    print(`${report.inconsistencies} inconsistencies`);
    return report;
  } finally {
    clearInterval(progress);
    await stack.close();
  }
}

interface RoundOptions extends Omit<Options, 'writers'> {
  stack: CatalogStack;
  report: Report;
  writers: readonly Writer[];
  round: number;
  /** Milliseconds. */
  lasts: number;
}

/**
 * One round of writing, with kills and type changes. Afterwards all replicas are ready, and no
 * request is in flight.
 */
async function play({
  stack,
  report,
  writers,
  round,
  lasts,
  ...options
}: RoundOptions): Promise<void> {
  const signal = AbortSignal.timeout(Math.max(1, lasts));
  const random = randomFrom(options.seed + 1000 * round);
  const everyMs = options.killEverySeconds * 1000;
  await Promise.all([
    ...writers.map((writer) => writer.run(signal)),
    kill({ stack, report, random, signal, everyMs }),
    changeTypes({ stack, report, random, signal }),
  ]);
}

async function declareTypes(stack: CatalogStack): Promise<void> {
  for (const [name, body] of Object.entries({ Artist: artistType, Track: trackType })) {
    const answer = await send(stack.urlOf(0), { method: 'PUT', path: `/v1/types/${name}`, body });
    if (answer.outcome !== 'taken') throw new Error(JSON.stringify(answer.body));
  }
}
