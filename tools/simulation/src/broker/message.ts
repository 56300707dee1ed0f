import type { IPublishPacket, QoS } from 'mqtt-packet';

/** Properties that a broker forwards unaltered [MQTT-3.3.2-4, -15, -16, -17, -18, -20]. */
export type ForwardedProperties = Pick<
  NonNullable<IPublishPacket['properties']>,
  'payloadFormatIndicator' | 'responseTopic' | 'correlationData' | 'userProperties' | 'contentType'
>;

export type PublishProperties = ForwardedProperties & { messageExpiryInterval?: number };

/** A publication by a client, by a simulated device, or of a will. */
export interface Publication {
  topic: string;
  payload: Buffer | string;
  qos: QoS;
  retain: boolean;
  properties?: PublishProperties | undefined;
}

/** A message that the broker has accepted. */
export interface Message {
  /** Sequence number among the messages that this broker accepted, from 1. */
  readonly id: number;
  readonly topic: string;
  readonly payload: Buffer;
  readonly qos: QoS;
  readonly retain: boolean;
  readonly properties: ForwardedProperties;
  /** Milliseconds of the world's time. */
  readonly takenAt: number;
  /** Milliseconds of the world's time; undefined if the message does not expire. */
  readonly expiresAt: number | undefined;
  /** Client identifier; undefined for a message of a simulated device. */
  readonly publisher: string | undefined;
}

interface Origin {
  id: number;
  takenAt: number;
  publisher: string | undefined;
}

export function createMessage(publication: Publication, origin: Origin): Message {
  const { topic, payload, qos, retain } = publication;
  const { messageExpiryInterval: expirySeconds, ...properties } = publication.properties ?? {};
  return {
    ...origin,
    topic,
    payload: typeof payload === 'string' ? Buffer.from(payload) : payload,
    qos,
    retain,
    properties,
    expiresAt: expirySeconds === undefined ? undefined : origin.takenAt + expirySeconds * 1000,
  };
}

export function isExpired(message: Message, now: number): boolean {
  return message.expiresAt !== undefined && message.expiresAt <= now;
}
