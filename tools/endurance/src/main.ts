import { OperatorError } from '@engawa/errors';
import { randomFrom } from '@engawa/testing';
import { disturb } from './disturbances.ts';
import { Load } from './load.ts';
import { help, parseOptions } from './options.ts';
import { verify } from './verify.ts';
import { IngestionStack } from './ingestion-stack.ts';
import type { DisturbanceCounts } from './disturbances.ts';
import type { Options } from './options.ts';

const print = (line: string) => console.log(line);
const progressIntervalMs = 10_000;

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') print(help);
  else await run(options);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(`endurance: ${error.message}`);
  process.exitCode = 1;
}

async function run(options: Options): Promise<void> {
  const { broker, sharing, seed, minutes, readings } = options;
  print(
    `--broker ${broker} --sharing ${sharing} --seed ${seed} --minutes ${minutes} --readings ${readings}`,
  );
  const stack = await IngestionStack.open(options);
  try {
    const load = await Load.connect({
      ...options,
      url: stack.broker.url,
      random: randomFrom(seed),
    });
    const counts = await play(stack, load, seed);
    const readingCounts = await verify(load, stack.query.url, print);
    const { kills, brokerRestarts, tableRestarts } = counts;
    print(
      `${broker}: ${kills} kills, ${brokerRestarts} broker restarts, ${tableRestarts} table restarts; ` +
        `acknowledged ${readingCounts.acknowledged}, lost ${readingCounts.lost}, stored twice ${readingCounts.doubled}, ` +
        `presses delivered to another process again ${readingCounts.pressedAgain}`,
    );
    process.exitCode = readingCounts.lost + readingCounts.doubled === 0 ? 0 : 1;
    await load.close();
  } finally {
    await stack.close();
  }
}

async function play(stack: IngestionStack, load: Load, seed: number): Promise<DisturbanceCounts> {
  const counts: DisturbanceCounts = { kills: 0, brokerRestarts: 0, tableRestarts: 0 };
  const done = new AbortController();
  const progress = setInterval(() => {
    print(`${load.acknowledged} readings acknowledged, ${JSON.stringify(counts)}`);
  }, progressIntervalMs);
  const disturbing = disturb(stack, randomFrom(seed + 1), done.signal, counts);
  try {
    await Promise.race([load.run(), disturbing]);
  } finally {
    done.abort();
    clearInterval(progress);
  }
  await disturbing;
  return counts;
}
