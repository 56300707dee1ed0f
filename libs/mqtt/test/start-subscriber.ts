import { until } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { MqttMetrics, Subscriber, unlimitedAdmission } from '../src/index.ts';
import type { Message, SubscriberOptions } from '../src/index.ts';

/** A subscriber with the settings of a service, and all messages that it received. */
export function startSubscriber(url: string, options: Partial<SubscriberOptions> = {}) {
  const received: Message[] = [];
  const registry = new Registry();
  let connections = 0;
  const subscriber = new Subscriber({
    url,
    version: '3.1.1',
    clientId: 'engawa-test-0',
    topics: ['engawa/+/readings'],
    sessionExpirySeconds: 3600,
    window: 2000,
    admission: unlimitedAdmission,
    keepaliveSeconds: 30,
    maxPacketBytes: 262_144,
    onMessage: (message) => received.push(message),
    log: pino({ level: 'silent' }),
    metrics: new MqttMetrics(registry),
    ...options,
    onConnected: (connection) => {
      connections += 1;
      options.onConnected?.(connection);
    },
  });
  const ready = () => until('the subscription', () => subscriber.unavailableReason() === undefined);
  /** Runs what ends the connection, and waits until it has ended; on a busy machine it may be back by then. */
  const loses = async (cut: () => Promise<unknown>): Promise<void> => {
    const before = connections;
    await cut();
    const isLost = () => subscriber.unavailableReason() !== undefined;
    await until('the loss', () => isLost() || connections > before);
  };
  return { subscriber, received, registry, ready, loses };
}
