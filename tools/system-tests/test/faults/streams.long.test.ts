import { describeWithMosquitto, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { readAll } from '../oracle.ts';
import { faultTests } from './scene.ts';
import type { Scene } from './scene.ts';

const dayMs = 86_400_000;

/** The `index` of everything stored of a device, in ascending order. */
async function stored(scene: Scene, device: string): Promise<unknown[]> {
  const [from, to] = [-dayMs, dayMs].map((ms) => new Date(Date.now() + ms).toISOString());
  const readings = await readAll(scene.ground.query.url, device, from ?? '', to ?? '');
  return readings.map(({ fields }) => fields['index'] ?? NaN).toSorted((a, b) => a - b);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describeWithMosquitto('the stream of a device', () => {
  const fault = faultTests();

  fault('readings without a time, and connections are reset', { messages: 600 }, async (scene) => {
    await scene.startIngestion();
    // So that messages are held, and come again, while their first delivery is being stored.
    scene.ground.simulator.setFaults([{ fault: { kind: 'slow', milliseconds: 200 } }]);
    const device = `${scene.prefix}-timeless`;
    const client = await connectAsync(scene.broker?.url ?? '');
    const cutAfter = new Set(
      [100, 250, 400].map((index) => index + Math.floor(50 * scene.random())),
    );
    for (const index of upTo(scene.messages)) {
      await client.publishAsync(`engawa/${device}/readings`, `{"index":${index}}`, { qos: 1 });
      if (cutAfter.has(index)) scene.path.cut();
    }
    await client.endAsync();
    const progress = async () => (await stored(scene, device)).length;
    await until('all of them', async () => (await progress()) >= scene.messages, { progress });
    expect(scene.path.redelivered).toBeGreaterThan(0);
    expect(await stored(scene, device)).toEqual(upTo(scene.messages));
  });

  for (const mqttVersion of ['5', '3.1.1'] as const) {
    const options = { mqttVersion, messages: 300 };
    fault(
      `a retained reading, and connections are reset, MQTT ${mqttVersion}`,
      options,
      async (scene) => {
        const device = `${scene.prefix}-retained`;
        const client = await connectAsync(scene.broker?.url ?? '');
        const retained = { qos: 1, retain: true } as const;
        await client.publishAsync(`engawa/${device}/readings`, '{"index":0}', retained);
        await client.endAsync();
        await scene.startIngestion();
        await scene.publishDisturbed([0.2, 0.4, 0.6], () => scene.path.cut());
        // A copy that a new subscription brings stands before the last of the others.
        await scene.verify();
        expect(await stored(scene, device)).toEqual([0]);
      },
    );
  }

  const registering = { devices: 200, messages: 600, environment: { MQTT_WINDOW: '40' } };

  fault('the lists of devices are throttled while devices register', registering, async (scene) => {
    await scene.startIngestion();
    const throttled = { kind: 'throttle' } as const;
    scene.ground.simulator.setFaults([
      { partitionKey: 'LIST#DEVICE*', fault: throttled },
      { partitionKey: 'SEEN#DEVICE*', fault: throttled },
    ]);
    await scene.publish();
    await scene.acknowledgements(scene.messages);
    // Though both lists are still throttled.
    await scene.verify();
  });

  fault('a flood of equal poison', {}, async (scene) => {
    await scene.startIngestion();
    scene.ground.simulator.setFaults([{ fault: { kind: 'slow', milliseconds: 20 } }]);
    await scene.connectPublisher();
    const poison = await connectAsync(scene.broker?.url ?? '');
    const topic = `engawa/${scene.prefix}-equal/readings`;
    const flood = upTo(3000).map(() => poison.publishAsync(topic, '{"cut', { qos: 1 }));
    await Promise.all([...flood, scene.publisher.publish(scene.messages)]);
    await poison.endAsync();
    await scene.acknowledgements(flood.length + scene.messages);
    await scene.verify(undefined, { stored: scene.messages, deadLettered: 0 });
    // Although equal, each is a message: its own dead letter, durable before its acknowledgement.
    const deadLetters = (await scene.ground.deadLetters()).filter((deadLetter) =>
      deadLetter.startsWith(topic),
    );
    expect(deadLetters).toEqual(flood.map(() => `${topic} {"cut`));
    await scene.publisher.close();
  });
});
