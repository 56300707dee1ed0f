import { writeToStream } from 'mqtt-packet';
import { retryDelay } from './connection/retry-delay.ts';
import type { IClientOptions } from 'mqtt';
import type { SubscriberOptions } from './options/subscriber-options.ts';

function ignore(): void {
  return undefined;
}

/** The connection options of mqtt.js. */
export function clientOptions(options: SubscriberOptions): IClientOptions {
  const { version, clientId, username, password, keepaliveSeconds, maxPacketBytes } = options;
  // By default mqtt-packet keeps 65,536 buffers, one for each two-byte number, which take 7 MB (its numbers.js).
  writeToStream.cacheNumbers = false;
  return {
    protocolVersion: version === '5' ? 5 : 4,
    clientId,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    // mqtt.js calls its log some thirty times for each message, also while nothing reads it.
    log: ignore,
    clean: false,
    keepalive: keepaliveSeconds,
    resubscribe: false, // Subscriptions subscribes again and checks the granted QoS
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
