import { ProtocolViolation } from '../connection.ts';
import { reasonCode } from '../reason-codes.ts';
import { parseTopicFilter } from '../topics.ts';
import type { Connection } from '../connection.ts';
import type { BrokerContext } from '../context.ts';
import type { Session, Subscription } from '../session.ts';
import type { ISubscribePacket, ISubscription, IUnsubscribePacket } from 'mqtt-packet';

/** Return code of a failure in the SUBACK of MQTT 3.1.1 (3.9.3). */
const failure = 0x80;

/** MQTT 5, 3.8. */
export function handleSubscribe(
  context: BrokerContext,
  connection: Connection,
  session: Session,
  packet: ISubscribePacket,
): void {
  const identifier = packet.properties?.subscriptionIdentifier;
  check(
    packet,
    packet.subscriptions.map(({ topic }) => topic),
    identifier,
  );
  const replays: (() => void)[] = [];
  const granted = packet.subscriptions.map((wanted) => {
    const filter = parseTopicFilter(wanted.topic);
    if (filter === undefined) return refusal(connection, reasonCode.topicFilterInvalid);
    if (filter.group !== undefined && wanted.nl === true)
      throw new ProtocolViolation(
        reasonCode.protocolError,
        'No Local on a shared subscription [MQTT-3.8.3-4]',
      );
    const isRefused = context.profile.deniedSubscription === 'refused';
    if (isRefused && context.isDenied(filter.text))
      return refusal(connection, reasonCode.notAuthorized);
    const known = session.subscriptions.get(filter.text);
    const former = context.profile.optionsAtResubscribing === 'kept' ? known : undefined;
    const subscription: Subscription = {
      filter,
      qos: wanted.qos,
      noLocal: former?.noLocal ?? wanted.nl ?? false,
      retainAsPublished: former?.retainAsPublished ?? wanted.rap ?? false,
      identifier,
    };
    subscribe(context, session, subscription);
    if (wantsReplay(context, wanted, subscription, known !== undefined))
      replays.push(() => replay(context, session, subscription));
    return wanted.qos;
  });
  connection.send({ cmd: 'suback', messageId: packet.messageId ?? 0, granted });
  for (const run of replays) run();
}

/** MQTT 5, 3.10. */
export function handleUnsubscribe(
  { router }: BrokerContext,
  connection: Connection,
  session: Session,
  packet: IUnsubscribePacket,
): void {
  check(packet, packet.unsubscriptions, undefined);
  const granted = packet.unsubscriptions.map((filter) =>
    router.unsubscribe(session, filter) ? reasonCode.success : reasonCode.noSubscriptionExisted,
  );
  connection.send({ cmd: 'unsuback', messageId: packet.messageId ?? 0, granted });
}

function check(
  { messageId }: ISubscribePacket | IUnsubscribePacket,
  filters: readonly string[],
  identifier: number | undefined,
): void {
  const { protocolError, malformedPacket } = reasonCode;
  if (messageId === 0)
    throw new ProtocolViolation(protocolError, 'no packet identifier [MQTT-2.2.1-3]');
  if (filters.length === 0)
    throw new ProtocolViolation(protocolError, 'no filter [MQTT-3.8.3-2, MQTT-3.10.3-2]');
  if (filters.includes(''))
    throw new ProtocolViolation(malformedPacket, 'an empty filter [MQTT-4.7.3-1]');
  if (identifier === 0)
    throw new ProtocolViolation(protocolError, 'a subscription identifier of 0 (3.8.2.1.2)');
}

function refusal(connection: Connection, code: number): number {
  return connection.version === 5 ? code : failure;
}

function subscribe(context: BrokerContext, session: Session, subscription: Subscription): void {
  const { profile, lostMembers, router, gate } = context;
  const { filter } = subscription;
  router.subscribe(session, subscription);
  const hasReturned = lostMembers.has(`${session.clientId} ${filter.text}`);
  if (hasReturned && profile.groups.returningMemberHangsBroker) gate.pause();
}

/** Retain Handling (MQTT 5, 3.8.3.1); MQTT 3.1.1 replays at every SUBSCRIBE [MQTT-3.8.4-3]. */
function wantsReplay(
  { profile }: BrokerContext,
  { rh = 0 }: ISubscription,
  { filter }: Subscription,
  isKnown: boolean,
): boolean {
  if (filter.group !== undefined && !profile.retained.replayedToGroups) return false;
  return profile.retained.ignoresRetainHandling || rh === 0 || (rh === 1 && !isKnown);
}

function replay(context: BrokerContext, session: Session, subscription: Subscription): void {
  const { retained, router, world } = context;
  for (const message of retained.matching(subscription.filter, world.now()))
    router.replay(message, session, subscription);
}
