import {
  announcedSeed,
  describeWithMosquitto,
  randomFrom,
  startMosquitto,
  until,
} from '@engawa/testing';
import { countReadings } from './oracle.ts';
import { Publisher } from './publisher.ts';
import { Stack } from './stack.ts';
import type { StackOptions } from './stack.ts';

const messages = 20_000;

/** Publishes, kills ingestion twice meanwhile (SIGKILL), and finally reads all readings. */
async function surviveKills(name: string, options: StackOptions): Promise<void> {
  const seed = announcedSeed(name);
  const random = randomFrom(seed);
  const stack = await Stack.start(options);
  try {
    const publisher = await Publisher.connect({
      url: stack.mqttUrl,
      seed,
      devices: 20,
      concurrency: 500,
    });
    const published = publisher.publish(messages);
    for (const share of [0.1 + 0.3 * random(), 0.5 + 0.4 * random()]) {
      const progress = () => publisher.taken.length;
      await until('the next kill', () => progress() > share * messages, { progress });
      await stack.ingestion.end('SIGKILL');
      await stack.startIngestion();
    }
    await published;
    await publisher.close();
    let readingCounts = await countReadings(stack.query.url, publisher.taken);
    const isComplete = async () => {
      readingCounts = await countReadings(stack.query.url, publisher.taken);
      return readingCounts.lost === 0;
    };
    await until('every message in the answers', isComplete, {
      progress: () => readingCounts.stored,
    });
    process.stdout.write(`${name}: ${JSON.stringify(readingCounts)}\n`);
    expect(readingCounts).toEqual({
      taken: messages,
      stored: messages,
      deadLettered: 0,
      lost: 0,
      duplicated: 0,
      missing: [],
    });
  } finally {
    await stack.close();
  }
}

describe('ingestion killed during a backfill', () => {
  it(
    'stores each acknowledged message exactly once',
    () => surviveKills('killed, embedded broker', {}),
    300_000,
  );
});

describeWithMosquitto('ingestion killed during a backfill from Mosquitto', () => {
  it.each(['5', '3.1.1'] as const)(
    'stores each acknowledged message over MQTT %s exactly once',
    (mqttVersion) =>
      surviveKills(`killed, Mosquitto, MQTT ${mqttVersion}`, {
        broker: startMosquitto(),
        mqttVersion,
      }),
    300_000,
  );
});
