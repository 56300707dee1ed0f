import type { BrokerProfile } from '../../../src/broker/index.ts';

/** A broker without losses and limits. */
export const standard: BrokerProfile = {
  name: 'standard',
  durability: {
    onRestart: 'kept',
    onKill: 'kept',
    groups: 'kept',
    restoredMayRead: 'always',
    retained: 'kept',
  },
  inFlight: { max: 0, receiveMaximum: 'caps', maxAtFirst: 0, acknowledgementFrees: 'one' },
  redelivery: { order: 'kept', marksDup: true, keepsToMaximum: true, countsQueuedAsSent: false },
  queue: { max: 0, drops: 'newest', keepsQos0: false },
  deniedSubscription: 'refused',
  retained: { ignoresRetainHandling: false, replayedToGroups: false },
  overlappingSubscriptions: 'merged',
  optionsAtResubscribing: 'replaced',
  willOnTakeover: 'published',
  groups: {
    queuedBy: 'member',
    offlineMembers: 'takeTurns',
    endedMember: 'redistributed',
    stallAfterKillMs: 0,
    returningMemberHangsBroker: false,
  },
};
