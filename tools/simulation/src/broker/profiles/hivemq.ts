import type { BrokerProfile } from '../profile.ts';

/**
 * HiveMQ Community Edition 2025.5. "Measured" stands for docs/brokers.md, and for what was seen
 * with plain clients when its table was made; where nothing stands, the standard's usual way is
 * assumed.
 */
export const hivemq: BrokerProfile = {
  name: 'hivemq',
  durability: {
    // Measured: nothing is lost, also after SIGKILL.
    onRestart: 'kept',
    onKill: 'kept',
    groups: 'kept',
    restoredMayRead: 'always',
    // https://www.mintlify.com/hivemq/hivemq-community-edition/mqtt/features: persisted to disk.
    retained: 'kept',
  },
  inFlight: {
    // Measured: the client's maximum holds, 50 at most, 1 at first.
    max: 50,
    receiveMaximum: 'caps',
    maxAtFirst: 1,
    acknowledgementFrees: 'one',
  },
  // Measured.
  redelivery: { order: 'kept', marksDup: true, keepsToMaximum: true, countsQueuedAsSent: false },
  queue: {
    // `max-queue-size` 1000 and `strategy` "discard", which drops what is new:
    // https://mintlify.com/hivemq/hivemq-community-edition/configuration/mqtt-settings
    max: 1000,
    drops: 'newest',
    keepsQos0: false,
  },
  // Not seen: needs an extension, which may do either.
  deniedSubscription: 'refused',
  retained: { ignoresRetainHandling: false, replayedToGroups: false },
  overlappingSubscriptions: 'merged',
  optionsAtResubscribing: 'replaced',
  willOnTakeover: 'published',
  groups: {
    // A queue for each shared subscription, read in batches for members that are connected and have nothing in flight:
    // `pollSharedPublishesForClient` of com.hivemq.mqtt.services.PublishPollServiceImpl.
    queuedBy: 'group',
    offlineMembers: 'lastResort',
    endedMember: 'redistributed',
    // Measured: nothing for up to 75 s with plain clients, everything 99 s after the last publication with ingestion.
    stallAfterKillMs: 99_000,
    returningMemberHangsBroker: false,
  },
};
