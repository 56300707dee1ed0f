import { ProtocolViolation } from '../connection.ts';
import { reasonCode } from '../reason-codes.ts';
import { handleConnect } from './connect.ts';
import { handleDisconnect } from './disconnect.ts';
import { handlePublish, handleRelease } from './publish.ts';
import { handleSubscribe, handleUnsubscribe } from './subscribe.ts';
import type { Connection } from '../connection.ts';
import type { BrokerContext } from '../context.ts';
import type { Session } from '../session.ts';
import type { IPubrecPacket, Packet } from 'mqtt-packet';

/** The lowest reason code of a failure (MQTT 5, 2.4). */
const firstFailure = 0x80;

/** @throws ProtocolViolation */
export function handlePacket(context: BrokerContext, connection: Connection, packet: Packet): void {
  const { session } = connection;
  if (session !== undefined) handleOfClient(context, connection, session, packet);
  else if (packet.cmd === 'connect') handleConnect(context, connection, packet);
  else
    throw new ProtocolViolation(
      reasonCode.protocolError,
      'the first packet is not CONNECT [MQTT-3.1.0-1]',
    );
}

function handleOfClient(
  context: BrokerContext,
  connection: Connection,
  session: Session,
  packet: Packet,
): void {
  const { messageId = 0 } = packet;
  switch (packet.cmd) {
    case 'publish':
      handlePublish(context, connection, session, packet);
      return;
    case 'pubrel':
      handleRelease(context, connection, session, messageId);
      return;
    case 'puback':
      session.outbox.acknowledged(messageId);
      return;
    case 'pubrec':
      handleReceived(connection, session, packet);
      return;
    case 'pubcomp':
      session.outbox.completed(messageId);
      return;
    case 'subscribe':
      handleSubscribe(context, connection, session, packet);
      return;
    case 'unsubscribe':
      handleUnsubscribe(context, connection, session, packet);
      return;
    case 'pingreq':
      connection.send({ cmd: 'pingresp' });
      return;
    case 'disconnect':
      handleDisconnect(connection, session, packet);
      return;
    case 'connect':
      throw new ProtocolViolation(reasonCode.protocolError, 'a second CONNECT [MQTT-3.1.0-2]');
    default:
      throw new ProtocolViolation(
        reasonCode.protocolError,
        `${packet.cmd} may only be sent by servers`,
      );
  }
}

/** PUBREC: the client has received or rejected the message [MQTT-4.3.3-4]. */
function handleReceived(connection: Connection, session: Session, packet: IPubrecPacket): void {
  const { messageId = 0 } = packet;
  if ((packet.reasonCode ?? 0) >= firstFailure) {
    session.outbox.acknowledged(messageId);
    return;
  }
  const isKnown = session.outbox.received(messageId);
  const code = isKnown ? reasonCode.success : reasonCode.packetIdentifierNotFound;
  connection.send({ cmd: 'pubrel', messageId, reasonCode: code });
}
