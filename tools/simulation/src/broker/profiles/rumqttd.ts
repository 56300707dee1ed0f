import type { BrokerProfile } from '../profile.ts';

/**
 * rumqttd 0.20. "Measured" refers to docs/brokers.md and the measurements behind its table; other
 * values are assumptions.
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
  // rumqttd bounds the log of each filter by size; the effect was not measured.
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
    // Measured: when killed members reconnect, its router ends with "group must exists", and no client is served.
    returningMemberHangsBroker: true,
  },
};
