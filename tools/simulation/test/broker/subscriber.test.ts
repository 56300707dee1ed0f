import { MqttMetrics, Subscriber, unlimitedAdmission } from '@engawa/mqtt';
import { until } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { hivemq, mosquitto } from '../../src/broker/index.ts';
import { startRealTimeBroker } from './support/real-time-broker.ts';
import { changed } from './support/simulated.ts';
import type { SubscriberOptions } from '@engawa/mqtt';

const unlimited = { queue: { max: 0 } };

/** The services' own subscriber, which acknowledges each message in the next turn of the event loop. */
function subscribe(url: string, options: Partial<SubscriberOptions>) {
  const payloads = new Set<string>();
  const subscriber = new Subscriber({
    url,
    version: '5',
    clientId: 'service',
    topics: ['home/+/readings'],
    sessionExpirySeconds: 3600,
    window: 50,
    admission: unlimitedAdmission,
    keepaliveSeconds: 30,
    onMessage: (message) => {
      payloads.add(message.payload.toString());
      setImmediate(() => message.release());
    },
    log: pino({ level: 'silent' }),
    metrics: new MqttMetrics(new Registry()),
    ...options,
  });
  const ready = () => until('the subscription', () => subscriber.unavailableReason() === undefined);
  return { subscriber, payloads, ready };
}

describe.each([
  ['Mosquitto', changed(mosquitto, unlimited), '5', undefined],
  ['Mosquitto', changed(mosquitto, unlimited), '3.1.1', undefined],
  ['HiveMQ', changed(hivemq, unlimited), '5', 'group'],
  ['HiveMQ', changed(hivemq, unlimited), '3.1.1', 'group'],
] as const)(
  'the subscriber of our services at a simulated %s',
  (_name, profile, version, group) => {
    it(`receives every message over cut connections (MQTT ${version}, group: ${group})`, async () => {
      const started = await startRealTimeBroker(profile);
      const { broker, url } = started;
      const { subscriber, payloads, ready } = subscribe(url, {
        version,
        group,
        selfTestTopic: 'home/self-test/readings',
      });
      await ready();
      for (let message = 1; message <= 900; message++) {
        const taken = broker.publish({
          topic: `home/${message % 7}/readings`,
          payload: `${message}`,
          qos: 1,
          retain: false,
        });
        expect(taken).toBeDefined();
        if (message === 300) broker.cut('service', 'reset');
        if (message === 600) broker.restart({ how: 'clean' });
      }
      await until('all messages', () => payloads.size >= 900, { progress: () => payloads.size });
      await until('all acknowledgements', () => broker.oldestUnacknowledged() === undefined);
      // Nobody subscribes to the name of a group: the subscriber tests whether a broker takes it literally.
      const isOfTest = (topic: string) => topic.startsWith('$share/');
      const lost = broker
        .takeSettledDeliveries()
        .filter(({ state, message }) => state === 'dropped' && !isOfTest(message.topic));
      expect(lost).toEqual([]);
      await subscriber.close();
      expect(broker.hasSession('service')).toBe(true);
      await started.close();
    });
  },
);
