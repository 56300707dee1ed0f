import { chartHeap, describeWithMosquitto, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { readAll } from '../oracle.ts';
import { faultTests } from './fault-tests.ts';
import type { FaultScenario } from './fault-scenario.ts';

const nodeOptions = chartHeap().nodeOptions.join(' ');
const devices = 5;
const readingsPerMessage = 150;

/** Epoch milliseconds; the readings of a device are a second apart. */
const start = Date.now() - 12 * 3_600_000;
const timeOf = (index: number) => new Date(start + index * 1000).toISOString();

/**
 * Publishes messages of about 10 KB with many readings each.
 * @returns the number of readings per device
 */
async function publishPacked(scenario: FaultScenario): Promise<number> {
  const client = await connectAsync(scenario.broker?.url ?? '');
  const perDevice = scenario.messages / devices;
  for (let number = 0; number < scenario.messages; number++) {
    const device = `${scenario.prefix}-${number % devices}`;
    const first = Math.floor(number / devices) * readingsPerMessage;
    const readings = Array.from({ length: readingsPerMessage }, (_, index) => {
      return { ts: timeOf(first + index), index: first + index, temperature: 20.5 };
    });
    await client.publishAsync(`engawa/${device}/readings`, JSON.stringify(readings), { qos: 1 });
  }
  await client.endAsync();
  return perDevice * readingsPerMessage;
}

describeWithMosquitto('a backlog', () => {
  const fault = faultTests();
  const options = { messages: 600, environment: { NODE_OPTIONS: nodeOptions, LINGER_MS: '1000' } };

  fault('killed while a backlog of large messages is stored', options, async (scenario) => {
    const first = await scenario.startIngestion();
    await first.end('SIGTERM');
    const expected = await publishPacked(scenario);
    await scenario.startIngestion();
    for (const share of [0.2, 0.5]) {
      await scenario.acknowledgements((share + 0.2 * scenario.random()) * scenario.messages);
      await scenario.ingestion.end('SIGKILL');
      await scenario.startIngestion();
    }
    for (let number = 0; number < devices; number++) {
      const device = `${scenario.prefix}-${number}`;
      const read = () => readAll(scenario.backends.query.url, device, timeOf(0), timeOf(expected));
      const progress = async () => (await read()).length;
      const isComplete = async () => (await progress()) >= expected;
      await until(`the readings of ${device}`, isComplete, { progress });
      const indices = (await read()).map(({ fields }) => fields['index']);
      expect(indices).toEqual(Array.from({ length: expected }, (_, index) => index));
    }
  });
});
