import { ProtocolViolation } from '../connection.ts';
import { reasonCode } from '../reason-codes.ts';
import { isTopicName } from '../topics.ts';
import type { Connection } from '../connection.ts';
import type { BrokerContext } from '../context.ts';
import type { Publication } from '../message.ts';
import type { Session } from '../session.ts';
import type { IPublishPacket } from 'mqtt-packet';

/** MQTT 5, 3.3 and 4.3. */
export function handlePublish(
  context: BrokerContext,
  connection: Connection,
  session: Session,
  packet: IPublishPacket,
): void {
  check(packet);
  const { messageId = 0 } = packet;
  const publication = publicationOf(packet);
  if (packet.qos === 2) {
    // Delivered after PUBREL; a repeated PUBLISH is the same message [MQTT-4.3.3-10].
    session.incoming.set(messageId, publication);
    connection.send({ cmd: 'pubrec', messageId, reasonCode: reasonCode.success });
    return;
  }
  const isMatched = context.publish(publication, session.clientId);
  if (packet.qos === 0) return;
  const code = isMatched ? reasonCode.success : reasonCode.noMatchingSubscribers;
  connection.send({ cmd: 'puback', messageId, reasonCode: code });
}

/** PUBREL: the client has received the PUBREC, and will not send the message again. */
export function handleRelease(
  context: BrokerContext,
  connection: Connection,
  session: Session,
  messageId: number,
): void {
  const publication = session.incoming.get(messageId);
  session.incoming.delete(messageId);
  if (publication !== undefined) context.publish(publication, session.clientId);
  const code = publication === undefined ? reasonCode.packetIdentifierNotFound : reasonCode.success;
  connection.send({ cmd: 'pubcomp', messageId, reasonCode: code });
}

function check({ qos, dup, messageId, topic, properties }: IPublishPacket): void {
  const { protocolError, topicAliasInvalid, topicNameInvalid } = reasonCode;
  if (qos === 0 && dup) throw new ProtocolViolation(protocolError, 'DUP with QoS 0 [MQTT-3.3.1-2]');
  if (qos > 0 && messageId === 0)
    throw new ProtocolViolation(protocolError, 'no packet identifier [MQTT-2.2.1-3]');
  if (properties?.subscriptionIdentifier !== undefined)
    throw new ProtocolViolation(protocolError, 'a subscription identifier [MQTT-3.3.4-6]');
  // The broker's Topic Alias Maximum is 0 [MQTT-3.3.2-9].
  if (properties?.topicAlias !== undefined)
    throw new ProtocolViolation(topicAliasInvalid, 'a topic alias');
  if (!isTopicName(topic)) throw new ProtocolViolation(topicNameInvalid, '[MQTT-3.3.2-2]');
}

function publicationOf({ topic, payload, qos, retain, properties }: IPublishPacket): Publication {
  return { topic, payload, qos, retain, properties };
}
