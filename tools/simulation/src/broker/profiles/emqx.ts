import type { BrokerProfile } from '../profile.ts';

/** EMQX 5 with its defaults, from its documentation and statements of its maintainers; not measured. */
export const emqx: BrokerProfile = {
  name: 'emqx',
  // Regular sessions are in memory; durable sessions have to be enabled:
  // https://docs.emqx.com/en/emqx/latest/guides/durability/durability_introduction.md
  // Retained messages are on disc only with `retainer.backend.storage_type = disc`.
  durability: {
    onRestart: 'forgotten',
    onKill: 'forgotten',
    groups: 'forgotten',
    restoredMayRead: 'always',
    retained: 'forgotten',
  },
  inFlight: {
    // `max_inflight`, or the client's Receive Maximum if that is lower:
    // https://docs.emqx.com/en/emqx/latest/design/inflight-window-and-message-queue.md
    max: 32,
    receiveMaximum: 'caps',
    maxAtFirst: 0,
    acknowledgementFrees: 'one',
  },
  redelivery: { order: 'kept', marksDup: true, keepsToMaximum: true, countsQueuedAsSent: false },
  // From the page above: `max_mqueue_len`, which discards the oldest message, and `mqueue_store_qos0`.
  queue: { max: 1000, drops: 'oldest', keepsQos0: true },
  // A SUBACK with 0x87, unless `authorization.deny_action` is `disconnect`.
  deniedSubscription: 'refused',
  retained: { ignoresRetainHandling: false, replayedToGroups: false },
  overlappingSubscriptions: 'each',
  optionsAtResubscribing: 'replaced',
  willOnTakeover: 'published',
  groups: {
    queuedBy: 'member',
    // https://github.com/emqx/emqx/issues/2446: a member counts as offline only after its session has expired.
    offlineMembers: 'takeTurns',
    // https://github.com/emqx/emqx/pull/9104; according to https://github.com/emqx/emqx/issues/12257,
    // not in all cases.
    endedMember: 'redistributed',
    stallAfterKillMs: 0,
    returningMemberHangsBroker: false,
  },
};
