import type { BrokerProfile } from '../profile.ts';

/**
 * HiveMQ Community Edition 2025.5. "Measured" refers to docs/brokers.md, and to the measurements
 * with plain clients behind its table; values without a comment assume the behaviour that the
 * standard recommends.
 */
export const hivemq: BrokerProfile = {
  name: 'hivemq',
  durability: {
    // Measured: no message is lost, even after SIGKILL.
    onRestart: 'kept',
    onKill: 'kept',
    groups: 'kept',
    restoredMayRead: 'always',
    // https://www.mintlify.com/hivemq/hivemq-community-edition/mqtt/features: persisted to disk.
    retained: 'kept',
  },
  inFlight: {
    // Measured: the client's maximum, at most 50; 1 before the first acknowledgement.
    max: 50,
    receiveMaximum: 'caps',
    maxAtFirst: 1,
    acknowledgementFrees: 'one',
  },
  // Measured.
  redelivery: { order: 'kept', marksDup: true, keepsToMaximum: true, countsQueuedAsSent: false },
  queue: {
    // `max-queue-size` 1000 and `strategy` "discard", which drops new messages:
    // https://mintlify.com/hivemq/hivemq-community-edition/configuration/mqtt-settings
    max: 1000,
    drops: 'newest',
    keepsQos0: false,
  },
  // Not measured: access control needs an extension, which may refuse or grant.
  deniedSubscription: 'refused',
  retained: { ignoresRetainHandling: false, replayedToGroups: false },
  overlappingSubscriptions: 'merged',
  optionsAtResubscribing: 'replaced',
  willOnTakeover: 'published',
  groups: {
    // A queue per shared subscription, read in batches for connected members without messages in flight:
    // `pollSharedPublishesForClient` of com.hivemq.mqtt.services.PublishPollServiceImpl.
    queuedBy: 'group',
    offlineMembers: 'lastResort',
    endedMember: 'redistributed',
    // Measured: no delivery for up to 75 s with plain clients; with ingestion, all messages are
    // delivered 99 s after the last publication.
    stallAfterKillMs: 99_000,
    returningMemberHangsBroker: false,
  },
};
