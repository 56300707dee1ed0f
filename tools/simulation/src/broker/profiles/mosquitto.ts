import type { BrokerProfile } from '../profile.ts';

/**
 * Mosquitto 2.0.11 with `persistence true` and otherwise its defaults. "Compared": a test compares
 * the profile with a real Mosquitto. "Measured" refers to docs/brokers.md. mosquitto.conf(5) is the
 * manual of its settings.
 */
export const mosquitto: BrokerProfile = {
  name: 'mosquitto',
  durability: {
    // Measured.
    onRestart: 'kept',
    // `autosave_interval` (mosquitto.conf(5)): all changes since the last save are lost, including
    // acknowledgements; compared.
    onKill: { savedEveryMs: 1_800_000 },
    // Measured: the session is present, but receives no messages of the group.
    groups: 'forgotten',
    // Compared. Measured: `withoutAcl` for clients without a user name, to which `topic` lines of an `acl_file` apply;
    // `always` with `user` and `pattern` lines.
    restoredMayRead: 'always',
    // mosquitto.conf(5), `persistence`: "subscriptions, currently in-flight messages and retained messages".
    retained: 'kept',
  },
  inFlight: {
    // `max_inflight_messages` (mosquitto.conf(5)); compared.
    max: 20,
    // Compared: a Receive Maximum of 50 allows 50 messages in flight.
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
  // Compared: the will is published only if the session ends.
  willOnTakeover: 'discarded',
  groups: {
    // Compared. https://github.com/eclipse-mosquitto/mosquitto/issues/1747: offline members get their share.
    queuedBy: 'member',
    offlineMembers: 'takeTurns',
    // https://github.com/eclipse-mosquitto/mosquitto/issues/2662; compared.
    endedMember: 'lost',
    stallAfterKillMs: 0,
    returningMemberHangsBroker: false,
  },
};
