import { Simulated } from './support/simulated.ts';
import type { IClientOptions, MqttClient } from 'mqtt';

type Received = [topic: string, payload: string, qos: number, retain: boolean];

describe.each([4, 5] as const)('clients of mqtt.js with MQTT version %d', (protocolVersion) => {
  let simulated: Simulated;
  beforeEach(() => (simulated = new Simulated()));
  afterEach(() => simulated.close());

  const connected = async (clientId: string, options: Partial<IClientOptions> = {}) => {
    const client = simulated.mqtt({ clientId, protocolVersion, ...options });
    const received: Received[] = [];
    client.on('message', (topic, payload, { qos, retain }) =>
      received.push([topic, payload.toString(), qos, retain]),
    );
    await new Promise((resolve) => client.once('connect', resolve));
    return { client, received };
  };
  const lasting: Partial<IClientOptions> =
    protocolVersion === 5
      ? { clean: false, properties: { sessionExpiryInterval: 60 } }
      : { clean: false };

  const publishAll = async (client: MqttClient, topic: string) => {
    for (const qos of [0, 1, 2] as const) await client.publishAsync(topic, `at ${qos}`, { qos });
  };

  it('exchange messages of every QoS', async () => {
    const { client: publisher } = await connected('publisher');
    const { client: subscriber, received } = await connected('subscriber');
    const granted = await subscriber.subscribeAsync({ 'a/+': { qos: 2 } });
    expect(granted).toMatchObject([{ topic: 'a/+', qos: 2 }]);
    await publishAll(publisher, 'a/b');
    await simulated.settle();
    expect(received).toEqual([0, 1, 2].map((qos) => ['a/b', `at ${qos}`, qos, false]));
    await subscriber.unsubscribeAsync('a/+');
    await publishAll(publisher, 'a/b');
    await simulated.settle();
    expect(received).toHaveLength(3);
    expect([...simulated.broker.openDeliveries()]).toEqual([]);
  });

  it('receive messages that were published while they were disconnected', async () => {
    const { client: publisher } = await connected('publisher');
    const { client: subscriber, received } = await connected('subscriber', lasting);
    await subscriber.subscribeAsync('a', { qos: 2 });
    await subscriber.endAsync();
    await publishAll(publisher, 'a');
    subscriber.reconnect();
    const connack = await new Promise<{ sessionPresent: boolean }>((resolve) =>
      subscriber.once('connect', resolve),
    );
    await simulated.settle();
    expect(connack.sessionPresent).toBe(true);
    expect(received).toEqual([1, 2].map((qos) => ['a', `at ${qos}`, qos, false]));
  });

  it('receive an error for a denied subscription', async () => {
    simulated.broker.setDenied((filter) => filter === 'secret');
    const { client } = await connected('one');
    await expect(client.subscribeAsync('secret')).rejects.toThrow();
  });
});
