import type { BrokerProfile } from '../profile.ts';

/**
 * Mosquitto 2.0.11 with `persistence true` and otherwise its defaults. "Compared" stands for what
 * the tests compare with the real one; "measured" for docs/brokers.md; mosquitto.conf(5) is the
 * manual of its settings.
 */
export const mosquitto: BrokerProfile = {
  name: 'mosquitto',
  durability: {
    // Measured.
    onRestart: 'kept',
    // `autosave_interval` (mosquitto.conf(5)): everything since the last save is lost, also acknowledgements; compared.
    onKill: { savedEveryMs: 1_800_000 },
    // Measured: session present, and nothing comes for the group.
    groups: 'forgotten',
    // Compared. For clients without a user name, whom `topic` lines of an `acl_file` are for, it is `withoutAcl`; with
    // `user` and `pattern` lines it was seen to be `always`.
    restoredMayRead: 'always',
    // mosquitto.conf(5), `persistence`: "subscriptions, currently in-flight messages and retained messages".
    retained: 'kept',
  },
  inFlight: {
    // `max_inflight_messages` (mosquitto.conf(5)); compared.
    max: 20,
    // Compared: a Receive Maximum of 50 brings 50.
    receiveMaximum: 'replaces',
    maxAtFirst: 0,
    acknowledgementFrees: 'maximum',
  },
  // Measured and compared.
  redelivery: { order: 'kept', marksDup: true, keepsToMaximum: false, countsQueuedAsSent: false },
  queue: {
    // `max_queued_messages` (mosquitto.conf(5)). Engawa's documentation sets 0, for no maximum.
    max: 1000,
    drops: 'newest',
    // `queue_qos0_messages` (mosquitto.conf(5)); compared.
    keepsQos0: false,
  },
  // Measured with an `acl_file`; compared.
  deniedSubscription: 'granted',
  // Compared.
  retained: { ignoresRetainHandling: false, replayedToGroups: true },
  // Compared; `allow_duplicate_messages` (mosquitto.conf(5)).
  overlappingSubscriptions: 'eachInMqtt5',
  // Compared.
  optionsAtResubscribing: 'kept',
  // Compared: only where the session ends.
  willOnTakeover: 'discarded',
  groups: {
    // Compared. https://github.com/eclipse-mosquitto/mosquitto/issues/1747: members that are offline get their part.
    queuedBy: 'member',
    offlineMembers: 'takeTurns',
    // https://github.com/eclipse-mosquitto/mosquitto/issues/2662; compared.
    endedMember: 'lost',
    stallAfterKillMs: 0,
    returningMemberHangsBroker: false,
  },
};
