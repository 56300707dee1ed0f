import { retryDelay } from './connection/retry-delay.ts';
import type { IClientOptions } from 'mqtt';
import type { SubscriberOptions } from './options/subscriber-options.ts';

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
