import { describeWithMosquitto, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { readAll } from '../oracle.ts';
import { faultTests } from './fault-tests.ts';
import type { FaultScenario } from './fault-scenario.ts';

const dayMs = 86_400_000;

/** The `index` of everything stored of a device, in ascending order. */
async function stored(scenario: FaultScenario, device: string): Promise<unknown[]> {
  const [from, to] = [-dayMs, dayMs].map((ms) => new Date(Date.now() + ms).toISOString());
  const readings = await readAll(scenario.backends.query.url, device, from ?? '', to ?? '');
  return readings.map(({ fields }) => fields['index'] ?? NaN).toSorted((a, b) => a - b);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describeWithMosquitto('the stream of a device', () => {
  const fault = faultTests();

  fault(
    'readings without a time, and connections are reset',
    { messages: 600 },
    async (scenario) => {
      await scenario.startIngestion();
      // Messages are redelivered while their first delivery is being stored.
      scenario.backends.simulator.setFaults([{ fault: { kind: 'slow', milliseconds: 200 } }]);
      const device = `${scenario.prefix}-timeless`;
      const client = await connectAsync(scenario.broker?.url ?? '');
      const cutAfter = new Set(
        [100, 250, 400].map((index) => index + Math.floor(50 * scenario.random())),
      );
      for (const index of upTo(scenario.messages)) {
        await client.publishAsync(`engawa/${device}/readings`, `{"index":${index}}`, { qos: 1 });
        if (cutAfter.has(index)) scenario.path.cut();
      }
      await client.endAsync();
      const progress = async () => (await stored(scenario, device)).length;
      await until('all of them', async () => (await progress()) >= scenario.messages, { progress });
      expect(scenario.path.redelivered).toBeGreaterThan(0);
      expect(await stored(scenario, device)).toEqual(upTo(scenario.messages));
    },
  );

  for (const mqttVersion of ['5', '3.1.1'] as const) {
    const options = { mqttVersion, messages: 300 };
    fault(
      `a retained reading, and connections are reset, MQTT ${mqttVersion}`,
      options,
      async (scenario) => {
        const device = `${scenario.prefix}-retained`;
        const client = await connectAsync(scenario.broker?.url ?? '');
        const retained = { qos: 1, retain: true } as const;
        await client.publishAsync(`engawa/${device}/readings`, '{"index":0}', retained);
        await client.endAsync();
        await scenario.startIngestion();
        await scenario.publishDisturbed([0.2, 0.4, 0.6], () => scenario.path.cut());
        // A retained copy delivered to a new subscription is older than the last live message.
        await scenario.verify();
        expect(await stored(scenario, device)).toEqual([0]);
      },
    );
  }

  const registering = { devices: 200, messages: 600, environment: { MQTT_WINDOW: '40' } };

  fault(
    'the lists of devices are throttled while devices register',
    registering,
    async (scenario) => {
      await scenario.startIngestion();
      const throttled = { kind: 'throttle' } as const;
      scenario.backends.simulator.setFaults([
        { partitionKey: 'LIST#DEVICE*', fault: throttled },
        { partitionKey: 'SEEN#DEVICE*', fault: throttled },
      ]);
      await scenario.publish();
      await scenario.acknowledgements(scenario.sent);
      // Although both lists are still throttled.
      await scenario.verify();
    },
  );

  fault('a flood of equal poison', {}, async (scenario) => {
    await scenario.startIngestion();
    scenario.backends.simulator.setFaults([{ fault: { kind: 'slow', milliseconds: 20 } }]);
    await scenario.connectPublisher();
    const poison = await connectAsync(scenario.broker?.url ?? '');
    const topic = `engawa/${scenario.prefix}-equal/readings`;
    const flood = upTo(3000).map(() => poison.publishAsync(topic, '{"cut', { qos: 1 }));
    await Promise.all([...flood, scenario.publisher.publish(scenario.messages)]);
    await poison.endAsync();
    await scenario.acknowledgements(flood.length + scenario.sent);
    await scenario.verify(undefined, { stored: scenario.messages, deadLettered: 0 });
    // Although equal, each is a message: its own dead letter, durable before its acknowledgement.
    const deadLetters = (await scenario.backends.deadLetters()).filter((deadLetter) =>
      deadLetter.startsWith(topic),
    );
    expect(deadLetters).toEqual(flood.map(() => `${topic} {"cut`));
    await scenario.publisher.close();
  });
});
