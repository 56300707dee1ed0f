import type { BrokerProfile } from '../profile.ts';

/**
 * rumqttd 0.20. "Measured" stands for docs/brokers.md, and for what was seen when its table was
 * made; the rest is assumed.
 */
export const rumqttd: BrokerProfile = {
  name: 'rumqttd',
  // Measured: sessions are in memory.
  durability: {
    onRestart: 'forgotten',
    onKill: 'forgotten',
    groups: 'forgotten',
    restoredMayRead: 'always',
    retained: 'forgotten',
  },
  inFlight: {
    // `MAX_INFLIGHT` in rumqttd/src/router/iobufs.rs.
    max: 100,
    // Measured.
    receiveMaximum: 'ignored',
    maxAtFirst: 0,
    acknowledgementFrees: 'one',
  },
  // Measured.
  redelivery: { order: 'kept', marksDup: false, keepsToMaximum: true, countsQueuedAsSent: false },
  // Its log of each filter is bounded by size; how that shows was not measured.
  queue: { max: 0, drops: 'oldest', keepsQos0: false },
  deniedSubscription: 'refused',
  retained: { ignoresRetainHandling: false, replayedToGroups: false },
  overlappingSubscriptions: 'each',
  optionsAtResubscribing: 'replaced',
  willOnTakeover: 'published',
  groups: {
    queuedBy: 'member',
    offlineMembers: 'takeTurns',
    endedMember: 'lost',
    stallAfterKillMs: 0,
    // Measured: its router ends with "group must exists" when members are killed and come back, and serves nobody then.
    returningMemberHangsBroker: true,
  },
};
