import type { BrokerProfile } from '../profile.ts';

/**
 * mochi-mqtt 2.7.9 with its badger store. "Measured" refers to docs/brokers.md; other values are from its source
 * (github.com/mochi-mqtt/server, server.go and inflight.go).
 */
export const mochi: BrokerProfile = {
  name: 'mochi',
  durability: {
    // Measured.
    onRestart: 'kept',
    // Measured: 2 of about 7,000 messages were lost in three kills; 5 ms is an estimate with about this rate.
    onKill: { lostLastMs: 5 },
    groups: 'kept',
    restoredMayRead: 'always',
    retained: 'kept',
  },
  inFlight: {
    // No limit except `MaximumInflight`, which is the maximum of the queue below.
    max: 0,
    // Measured: messages beyond the client's maximum are not delivered during the connection.
    receiveMaximum: 'strands',
    maxAtFirst: 0,
    acknowledgementFrees: 'one',
  },
  redelivery: {
    // Measured. Messages in flight are in a map that is sorted by their second of creation (`GetAll`).
    order: 'mixed',
    marksDup: true,
    // `ResendInflightMessages` writes all waiting messages at once, with DUP, even those never sent before.
    keepsToMaximum: false,
    countsQueuedAsSent: true,
  },
  queue: {
    // `Capabilities.MaximumInflight`: at this number of unacknowledged messages, new ones are
    // dropped (`publishToClient`).
    max: 8192,
    drops: 'newest',
    keepsQos0: false,
  },
  // Measured.
  deniedSubscription: 'refused',
  // `publishRetainedToClient` returns at once for a shared filter.
  retained: { ignoresRetainHandling: false, replayedToGroups: false },
  // `Subscribers` merges the subscriptions of a client and keeps all identifiers.
  overlappingSubscriptions: 'merged',
  optionsAtResubscribing: 'replaced',
  willOnTakeover: 'published',
  groups: {
    // `SelectShared` picks any member, connected or not; its messages are never given to other members.
    queuedBy: 'member',
    offlineMembers: 'takeTurns',
    endedMember: 'lost',
    stallAfterKillMs: 0,
    returningMemberHangsBroker: false,
  },
};
