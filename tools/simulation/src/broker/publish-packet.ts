import { generate } from 'mqtt-packet';
import type { Entry } from './entry.ts';
import type { IPublishPacket } from 'mqtt-packet';

interface Encoding {
  version: 4 | 5;
  dup: boolean;
  /** Milliseconds of the world's time. */
  now: number;
}

export function encodePublish(entry: Entry, { version, dup, now }: Encoding): Buffer {
  const { message } = entry.record;
  const packet: IPublishPacket = {
    cmd: 'publish',
    topic: message.topic,
    payload: message.payload,
    qos: entry.qos,
    retain: entry.retain,
    dup,
    ...(entry.packetId !== undefined && { messageId: entry.packetId }),
    ...(version === 5 && { properties: propertiesOf(entry, now) }),
  };
  return generate(packet, { protocolVersion: version });
}

function propertiesOf(entry: Entry, now: number): NonNullable<IPublishPacket['properties']> {
  const { properties, expiresAt } = entry.record.message;
  const { identifiers } = entry;
  return {
    ...properties,
    // Less the time that it waited here [MQTT-3.3.2-6].
    ...(expiresAt !== undefined && {
      messageExpiryInterval: Math.max(0, Math.ceil((expiresAt - now) / 1000)),
    }),
    ...(identifiers.length > 0 && { subscriptionIdentifier: [...identifiers] }),
  };
}
