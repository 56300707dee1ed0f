import { generate } from 'mqtt-packet';
import type { Delivery } from './delivery.ts';
import type { IPublishPacket } from 'mqtt-packet';

interface Encoding {
  version: 4 | 5;
  dup: boolean;
  /** Milliseconds of the world's time. */
  now: number;
}

export function encodePublish(delivery: Delivery, { version, dup, now }: Encoding): Buffer {
  const { message } = delivery.record;
  const packet: IPublishPacket = {
    cmd: 'publish',
    topic: message.topic,
    payload: message.payload,
    qos: delivery.qos,
    retain: delivery.retain,
    dup,
    ...(delivery.packetId !== undefined && { messageId: delivery.packetId }),
    ...(version === 5 && { properties: propertiesOf(delivery, now) }),
  };
  return generate(packet, { protocolVersion: version });
}

function propertiesOf(delivery: Delivery, now: number): NonNullable<IPublishPacket['properties']> {
  const { properties, expiresAt } = delivery.record.message;
  const { identifiers } = delivery;
  return {
    ...properties,
    // Reduced by the time that the message waited in the broker [MQTT-3.3.2-6].
    ...(expiresAt !== undefined && {
      messageExpiryInterval: Math.max(0, Math.ceil((expiresAt - now) / 1000)),
    }),
    ...(identifiers.length > 0 && { subscriptionIdentifier: [...identifiers] }),
  };
}
