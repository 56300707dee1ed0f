import { chartHeap, describeWithMosquitto, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { readAll } from '../oracle.ts';
import { faultTests } from './scene.ts';
import type { Scene } from './scene.ts';

const nodeOptions = chartHeap().nodeOptions.join(' ');
const devices = 5;
const readingsPerMessage = 150;

/** Epoch milliseconds; the readings of a device are a second apart. */
const start = Date.now() - 12 * 3_600_000;
const timeOf = (index: number) => new Date(start + index * 1000).toISOString();

/** Publishes messages of many readings, of some 10 KB each. @returns how many readings each device has */
async function publishPacked(scene: Scene): Promise<number> {
  const client = await connectAsync(scene.broker?.url ?? '');
  const perDevice = scene.messages / devices;
  for (let number = 0; number < scene.messages; number++) {
    const device = `${scene.prefix}-${number % devices}`;
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

  fault('killed while a backlog of large messages is stored', options, async (scene) => {
    const first = await scene.startIngestion();
    await first.end('SIGTERM');
    const expected = await publishPacked(scene);
    await scene.startIngestion();
    for (const share of [0.2, 0.5]) {
      await scene.acknowledgements((share + 0.2 * scene.random()) * scene.messages);
      await scene.ingestion.end('SIGKILL');
      await scene.startIngestion();
    }
    for (let number = 0; number < devices; number++) {
      const device = `${scene.prefix}-${number}`;
      const read = () => readAll(scene.ground.query.url, device, timeOf(0), timeOf(expected));
      const progress = async () => (await read()).length;
      const isComplete = async () => (await progress()) >= expected;
      await until(`the readings of ${device}`, isComplete, { progress });
      const indices = (await read()).map(({ fields }) => fields['index']);
      expect(indices).toEqual(Array.from({ length: expected }, (_, index) => index));
    }
  });
});
