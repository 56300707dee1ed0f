import type { BrokerProfile } from '../profile.ts';

/**
 * mochi-mqtt 2.7.9 with its badger store. "Measured" stands for docs/brokers.md; the rest is read in its sources
 * (github.com/mochi-mqtt/server, server.go and inflight.go).
 */
export const mochi: BrokerProfile = {
  name: 'mochi',
  durability: {
    // Measured.
    onRestart: 'kept',
    // Measured: 2 of some 7,000 messages were lost in three kills; the time is a guess that gives such a rate.
    onKill: { lostLastMs: 5 },
    groups: 'kept',
    restoredMayRead: 'always',
    retained: 'kept',
  },
  inFlight: {
    // No limit of its own but `MaximumInflight`, below.
    max: 0,
    // Measured: what goes beyond the client's maximum is lost while the connection lasts.
    receiveMaximum: 'strands',
    maxAtFirst: 0,
    acknowledgementFrees: 'one',
  },
  redelivery: {
    // Measured. Messages in flight are a map that is sorted by the second in which they were made (`GetAll`).
    order: 'mixed',
    marksDup: true,
    // `ResendInflightMessages` writes all that waited at once, all of it marked, also what is sent for the first time.
    keepsToMaximum: false,
    countsQueuedAsSent: true,
  },
  queue: {
    // `Capabilities.MaximumInflight`: new ones are refused when as many are unacknowledged (`publishToClient`).
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
    // `SelectShared` picks a member whether it is connected or not; nothing gives its messages to others.
    queuedBy: 'member',
    offlineMembers: 'takeTurns',
    endedMember: 'lost',
    stallAfterKillMs: 0,
    returningMemberHangsBroker: false,
  },
};
