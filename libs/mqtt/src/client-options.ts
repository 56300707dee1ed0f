import { retryDelay } from './retry-delay.ts';
import type { IClientOptions, ISubscriptionMap } from 'mqtt';
import type { SubscriberOptions } from './subscriber-options.ts';

/** What mqtt.js is told of how to connect. */
export function clientOptions(options: SubscriberOptions): IClientOptions {
  const { version, clientId, username, password, keepaliveSeconds, maxPacketBytes } = options;
  return {
    protocolVersion: version === '5' ? 5 : 4,
    clientId,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    clean: false,
    keepalive: keepaliveSeconds,
    resubscribe: false, // the subscriber does it, and checks what was granted
    reconnectPeriod: retryDelay(1),
    reconnectOnConnackError: true,
    ...(version === '5' && {
      properties: {
        sessionExpiryInterval: options.sessionExpirySeconds,
        receiveMaximum: options.window,
        ...(maxPacketBytes !== undefined && { maximumPacketSize: maxPacketBytes }),
      },
    }),
  };
}

/**
 * QoS 1 is enough, since storing is idempotent. Retained messages are replayed when the subscription is new (rh 1), and the
 * retain flag tells replayed messages from those that are published now (rap false).
 */
export function subscriptionMap(filters: readonly string[]): ISubscriptionMap {
  return Object.fromEntries(
    filters.map((filter) => [filter, { qos: 1 as const, rh: 1, rap: false }]),
  );
}
