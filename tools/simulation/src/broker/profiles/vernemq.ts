import type { BrokerProfile } from '../profile.ts';

/** VerneMQ 1 with its defaults, from its documentation and statements of its maintainers; not measured. */
export const vernemq: BrokerProfile = {
  name: 'vernemq',
  // Offline messages are in LevelDB, subscriptions and retained messages in its metadata store. Losses by SIGKILL are
  // not documented.
  durability: {
    onRestart: 'kept',
    onKill: 'kept',
    groups: 'kept',
    restoredMayRead: 'always',
    retained: 'kept',
  },
  inFlight: {
    // `max_inflight_messages`, for MQTT 3.1.1 only; with MQTT 5 the client's Receive Maximum replaces it:
    // https://www.github.com/vernemq/vernemq/discussions/2165
    max: 20,
    receiveMaximum: 'replaces',
    maxAtFirst: 0,
    acknowledgementFrees: 'one',
  },
  redelivery: { order: 'kept', marksDup: true, keepsToMaximum: true, countsQueuedAsSent: false },
  // `max_offline_messages`; drops new messages: https://www.github.com/vernemq/vernemq/discussions/2229
  queue: { max: 1000, drops: 'newest', keepsQos0: false },
  deniedSubscription: 'refused',
  retained: { ignoresRetainHandling: false, replayedToGroups: false },
  overlappingSubscriptions: 'each',
  optionsAtResubscribing: 'replaced',
  willOnTakeover: 'published',
  groups: {
    // To a connected member if possible, otherwise to a disconnected one:
    // https://github.com/vernemq/vmq-docs/blob/1.8.0/configuration/shared_subscriptions.md
    queuedBy: 'member',
    offlineMembers: 'lastResort',
    // https://github.com/vernemq/vernemq/issues/751
    endedMember: 'lost',
    stallAfterKillMs: 0,
    returningMemberHangsBroker: false,
  },
};
