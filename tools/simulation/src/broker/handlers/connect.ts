import { ProtocolViolation } from '../connection.ts';
import { reasonCode, returnCodeOf } from '../reason-codes.ts';
import { isTopicName } from '../topics.ts';
import type { Connection } from '../connection.ts';
import type { BrokerContext } from '../context.ts';
import type { Session, Will } from '../session.ts';
import type { IConnectPacket } from 'mqtt-packet';

/** "Does not expire" (MQTT 5, 3.1.2.11.2). */
const neverExpires = 0xffff_ffff;

/** MQTT 5, 3.1; MQTT 3.1.1, 3.1. */
export function handleConnect(
  context: BrokerContext,
  connection: Connection,
  packet: IConnectPacket,
): void {
  connection.version = packet.protocolVersion === 5 ? 5 : 4;
  const refusal = context.refusal() ?? refusalOf(packet, connection.version);
  if (refusal !== undefined) {
    refuse(connection, refusal);
    return;
  }
  checkLimits(packet);
  const clientId = packet.clientId === '' ? context.assignClientId() : packet.clientId;
  const isClean = packet.clean ?? false;
  takeOver(context, clientId, isClean);
  const { session, isPresent } = openSession(context, clientId, isClean);
  session.expiryMs = expiryMsOf(packet, connection.version);
  session.version = connection.version;
  session.isRestored = false;
  session.will = willOf(packet);
  session.connection = connection;
  session.connectedAt = context.world.now();
  session.disconnectedAt = undefined;
  connection.session = session;
  connection.receiveMaximum = packet.properties?.receiveMaximum;
  connection.maximumPacketSize = packet.properties?.maximumPacketSize;
  connection.keepAlive(packet.keepalive ?? 0);
  const isAssigned = packet.clientId === '' && connection.version === 5;
  connection.send({
    cmd: 'connack',
    sessionPresent: isPresent,
    returnCode: 0,
    reasonCode: 0,
    ...(isAssigned && { properties: { assignedClientIdentifier: clientId } }),
  });
  session.outbox.connected(connection);
  for (const filter of session.subscriptions.keys()) context.router.group(filter)?.pump();
}

function refuse(connection: Connection, code: number): void {
  connection.send({
    cmd: 'connack',
    sessionPresent: false,
    reasonCode: code,
    returnCode: returnCodeOf(code),
  });
  connection.close();
}

function refusalOf(packet: IConnectPacket, version: 4 | 5): number | undefined {
  // MQTT 3.1.1 cannot keep a session without a client identifier [MQTT-3.1.3-8].
  if (packet.clientId === '' && version === 4 && packet.clean !== true)
    return reasonCode.clientIdentifierNotValid;
  if (packet.properties?.authenticationMethod !== undefined)
    return reasonCode.badAuthenticationMethod;
  if (packet.will !== undefined && !isTopicName(packet.will.topic))
    return reasonCode.topicNameInvalid;
  return undefined;
}

/** Zero is a protocol error for both limits (MQTT 5, 3.1.2.11.3 and 3.1.2.11.4). */
function checkLimits({ properties, will }: IConnectPacket): void {
  if (properties?.receiveMaximum === 0 || properties?.maximumPacketSize === 0)
    throw new ProtocolViolation(reasonCode.protocolError, 'a limit of zero');
  if (will !== undefined && (will.qos ?? 0) > 2)
    throw new ProtocolViolation(reasonCode.malformedPacket, 'a will of QoS 3 [MQTT-3.1.2-12]');
}

/** Closes an older connection of the same client [MQTT-3.1.4-3]. */
function takeOver({ sessions, router }: BrokerContext, clientId: string, isClean: boolean): void {
  const session = sessions.get(clientId);
  const older = session?.connection;
  if (session === undefined || older === undefined) return;
  // The session ends first, so that it does not receive its own will.
  if (isClean)
    for (const filter of [...session.subscriptions.keys()]) router.unsubscribe(session, filter);
  older.isTakenOver = true;
  older.close(reasonCode.sessionTakenOver);
}

function openSession(
  { sessions }: BrokerContext,
  clientId: string,
  isClean: boolean,
): { session: Session; isPresent: boolean } {
  const known = sessions.get(clientId);
  if (known !== undefined && !isClean) return { session: known, isPresent: true };
  if (known !== undefined) sessions.end(known);
  return { session: sessions.create(clientId), isPresent: false };
}

/** A session of MQTT 3.1.1 ends with its connection, or never (3.1.2.4). */
function expiryMsOf(packet: IConnectPacket, version: 4 | 5): number {
  if (version === 4) return packet.clean === true ? 0 : Infinity;
  return expiryOfSeconds(packet.properties?.sessionExpiryInterval ?? 0);
}

export function expiryOfSeconds(seconds: number): number {
  return seconds === neverExpires ? Infinity : seconds * 1000;
}

function willOf({ will }: IConnectPacket): Will | undefined {
  if (will === undefined) return undefined;
  const { willDelayInterval = 0, ...properties } = will.properties ?? {};
  const { topic, payload, qos = 0, retain = false } = will;
  return {
    publication: { topic, payload, qos, retain, properties },
    delayMs: willDelayInterval * 1000,
  };
}
