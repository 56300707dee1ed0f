import { grant, startRawBroker, until } from '@engawa/testing';
import { faultTests } from './fault-tests.ts';
import type { PacketResponders, RawBroker, RawConnection } from '@engawa/testing';
import type { Packet } from 'mqtt-packet';
import type { SentReading } from '../publisher.ts';
import type { FaultScenario } from './fault-scenario.ts';

/** A scripted broker, for behaviour that real brokers do not show on demand. */
describe('a broker that misbehaves', () => {
  const fault = faultTests();
  const refuse = (times: number, refusal: Packet, consent: (packet: Packet) => Packet) => {
    let left = times;
    return (packet: Packet) =>
      left-- > 0 ? { ...refusal, messageId: packet.messageId } : consent(packet);
  };

  async function withRawBroker(
    answers: PacketResponders,
    scenario: FaultScenario,
    play: (broker: RawBroker) => Promise<void>,
  ): Promise<void> {
    const broker = await startRawBroker(answers);
    try {
      // Long timeouts, so that a busy machine does not cause a reconnect: this broker does not
      // redeliver messages.
      await scenario.startIngestion(0, { MQTT_URL: broker.url, MQTT_KEEPALIVE_SECONDS: '60' });
      await play(broker);
    } finally {
      await broker.close();
    }
  }

  function messages(scenario: FaultScenario, name: string, count: number): SentReading[] {
    const start = Date.now() - 3_600_000;
    return Array.from({ length: count }, (_, index) => {
      const device = `${scenario.prefix}-${name}-${index % 10}`;
      const time = new Date(start + index * 1000).toISOString();
      const fields = { index, value: Math.round(scenario.random() * 1e6) };
      const payload = JSON.stringify({ ts: time, ...fields });
      return { device, time, fields, topic: `engawa/${device}/readings`, payload };
    });
  }

  function send(
    connection: RawConnection | undefined,
    sent: readonly SentReading[],
    dup = false,
  ): void {
    for (const [index, { topic, payload }] of sent.entries()) {
      const packet = { cmd: 'publish', topic, payload, qos: 1, retain: false, dup } as const;
      connection?.send({ ...packet, messageId: index + 1 });
    }
  }

  const acknowledged = (connection: RawConnection | undefined): number[] =>
    (connection?.packets ?? [])
      .filter(({ cmd }) => cmd === 'puback')
      .map(({ messageId = 0 }) => messageId);
  const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

  fault('restarted with 1,000 messages unacknowledged', { brokerPort: 0 }, (scenario) =>
    withRawBroker({}, scenario, async (broker) => {
      const [old, fresh] = [messages(scenario, 'old', 1000), messages(scenario, 'new', 1000)];
      const writes = [{ operations: ['BatchWriteItem'], fault: { kind: 'hang' as const } }];
      scenario.backends.simulator.setFaults(writes);
      send(broker.connections[0], old);
      const held = () => scenario.metric('engawa_ingest_unacknowledged_messages');
      await until('all of them held', async () => (await held()) === 1000, { progress: held });
      broker.connections[0]?.cut();
      // The same packet identifiers with other messages.
      await until('another connection', () => broker.connections[1]?.packets.length === 2);
      send(broker.connections[1], fresh);
      await until('those held, too', async () => (await held()) === 2000, { progress: held });
      expect(acknowledged(broker.connections[1])).toEqual([]);
      scenario.backends.simulator.setFaults([]);
      const progress = () => acknowledged(broker.connections[1]).length;
      await until('all of the new', () => progress() === 1000, { progress });
      expect(acknowledged(broker.connections[1])).toEqual(range(1000));
      await scenario.verify(() => [...old, ...fresh]);
    }),
  );

  fault('messages come twice, with DUP', { brokerPort: 0 }, (scenario) =>
    withRawBroker({}, scenario, async (broker) => {
      const sent = messages(scenario, 'twice', 300);
      send(broker.connections[0], sent);
      send(broker.connections[0], sent, true);
      const progress = () => acknowledged(broker.connections[0]).length;
      await until('all acknowledged', () => progress() === 600, { progress });
      await scenario.verify(() => sent);
    }),
  );

  fault('CONNACK is refused for a while', { brokerPort: 0 }, (scenario) => {
    const refusal: Packet = { cmd: 'connack', reasonCode: 0x88, sessionPresent: false };
    const consent = (): Packet => ({ cmd: 'connack', reasonCode: 0, sessionPresent: false });
    return withRawBroker({ connack: refuse(3, refusal, consent) }, scenario, async (broker) => {
      const sent = messages(scenario, 'refused', 100);
      send(broker.connections.at(-1), sent);
      await scenario.verify(() => sent);
      expect(broker.connections).toHaveLength(4);
    });
  });

  fault('SUBACK is refused on resubscribing', { brokerPort: 0 }, (scenario) => {
    let asked = 0;
    const isRefused = () => ++asked === 2 || asked === 3;
    const suback = (packet: Packet) => grant(packet, isRefused() ? 0x87 : 1);
    return withRawBroker({ suback }, scenario, async (broker) => {
      const subscribed = async () => !(await scenario.readyzText()).includes('"mqtt"');
      broker.connections[0]?.cut();
      await until('the reason at /readyz', async () => !(await subscribed()));
      await until('subscribed after all', () => asked === 4);
      const sent = messages(scenario, 'again', 100);
      send(broker.connections.at(-1), sent);
      await scenario.verify(() => sent);
      await until('no reason', subscribed);
    });
  });
});
