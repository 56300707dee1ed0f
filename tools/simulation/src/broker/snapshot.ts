import type { BrokerContext } from './context.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryRecord, DropCause, Ledger } from './ledger.ts';
import type { Message, Publication } from './message.ts';
import type { Session, Subscription } from './session.ts';

interface SavedSession {
  clientId: string;
  version: 4 | 5;
  expiryMs: number;
  /** Milliseconds of the world's time; undefined if the client was connected. */
  disconnectedAt: number | undefined;
  subscriptions: Subscription[];
  deliveries: Delivery[];
  incoming: [number, Publication][];
}

/** The persisted state of a broker. */
export interface Snapshot {
  sessions: SavedSession[];
  /** Messages in the groups' own queues, by filter. */
  groupQueues: [string, DeliveryRecord[]][];
  retained: Message[];
}

export const emptySnapshot: Snapshot = { sessions: [], groupQueues: [], retained: [] };

export function takeSnapshot({ sessions, router, retained }: BrokerContext): Snapshot {
  return {
    sessions: sessions.all().map(saveSession),
    groupQueues: [...router.groups()].map(({ filter, queued }) => [filter.text, queued]),
    retained: retained.all(),
  };
}

function saveSession(session: Session): SavedSession {
  const { clientId, version, expiryMs, disconnectedAt } = session;
  return {
    clientId,
    version,
    expiryMs,
    disconnectedAt,
    subscriptions: [...session.subscriptions.values()],
    deliveries: session.outbox.deliveries().map((delivery) => ({ ...delivery })),
    incoming: [...session.incoming],
  };
}

/** @returns the snapshot without the messages that were accepted at or after `time` */
export function withoutSince(snapshot: Snapshot, time: number): Snapshot {
  const isOlder = ({ message }: DeliveryRecord) => message.takenAt < time;
  return {
    ...snapshot,
    sessions: snapshot.sessions.map((session) => ({
      ...session,
      deliveries: session.deliveries.filter(({ record }) => isOlder(record)),
    })),
    groupQueues: snapshot.groupQueues.map(([filter, records]) => [filter, records.filter(isOlder)]),
  };
}

/** Restores a snapshot into a new process. */
export function restore(snapshot: Snapshot, context: BrokerContext): void {
  const { sessions, router, retained, profile, world } = context;
  if (profile.durability.retained === 'kept')
    for (const message of snapshot.retained) retained.set(message);
  for (const saved of snapshot.sessions) {
    const session = sessions.create(saved.clientId);
    session.version = saved.version;
    session.isRestored = true;
    session.expiryMs = saved.expiryMs;
    session.disconnectedAt = saved.disconnectedAt ?? world.now();
    for (const [messageId, publication] of saved.incoming)
      session.incoming.set(messageId, publication);
    session.outbox.restore(saved.deliveries.map((delivery) => ({ ...delivery })));
    for (const subscription of saved.subscriptions)
      if (subscription.filter.group === undefined || profile.durability.groups === 'kept')
        router.subscribe(session, subscription);
    const goneMs = world.now() - session.disconnectedAt;
    sessions.expireLater(session, Math.max(0, saved.expiryMs - goneMs));
  }
  for (const [filter, records] of snapshot.groupQueues) router.group(filter)?.restoreQueue(records);
  // Groups with their own queue take back their members' unacknowledged messages.
  for (const session of sessions.all()) router.disconnected(session);
}

/** Records the messages that are in no session or group as dropped. */
export function dropForgotten(context: BrokerContext, ledger: Ledger, cause: DropCause): void {
  const kept = new Set<DeliveryRecord>();
  for (const session of context.sessions.all())
    for (const { record } of session.outbox.deliveries()) kept.add(record);
  for (const group of context.router.groups()) for (const record of group.queued) kept.add(record);
  for (const record of [...ledger.open()]) {
    if (!kept.has(record)) ledger.dropped(record, cause);
    else if (record.state === 'inFlight') ledger.queued(record, record.session);
  }
}
