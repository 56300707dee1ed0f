/**
 * How one broker behaves where brokers differ. Numbers have units in their names; 0 as a maximum
 * means "none". Where a profile says what a broker does, the source stands beside it (`profiles/`).
 */
export interface BrokerProfile {
  readonly name: string;
  readonly durability: Durability;
  readonly inFlight: InFlightRules;
  readonly redelivery: {
    /** Order of what is delivered again after a reconnect; `mixed`: any order among messages of the same second. */
    readonly order: 'kept' | 'mixed';
    /** Whether it sets DUP, as [MQTT-3.3.1-1] demands. */
    readonly marksDup: boolean;
    /** Whether it is sent as room comes, or at once, even beyond the Receive Maximum of the new connection. */
    readonly keepsToMaximum: boolean;
    /** Whether what waited for the connection is treated as if it had been sent before. */
    readonly countsQueuedAsSent: boolean;
  };
  readonly queue: QueueRules;
  /**
   * What a client gets that subscribes to what it may not read: `refused` is a reason code in the
   * SUBACK; `granted` is a success, and then nothing comes.
   */
  readonly deniedSubscription: 'refused' | 'granted';
  readonly retained: {
    /** Replays retained messages at every SUBSCRIBE, ignoring the Retain Handling of MQTT 5. */
    readonly ignoresRetainHandling: boolean;
    /** Replays them for shared subscriptions too; MQTT 5, 4.8.2, says that none are sent. */
    readonly replayedToGroups: boolean;
  };
  /**
   * How often a session gets a message that several of its subscriptions match: once with the
   * highest QoS and all subscription identifiers (`merged`), or once for each; the standard allows
   * both (MQTT 5, 3.3.4). `eachInMqtt5`: clients of MQTT 3.1.1 get it once, for the subscription
   * that says most about the topic.
   */
  readonly overlappingSubscriptions: 'merged' | 'each' | 'eachInMqtt5';
  /** What a second SUBSCRIBE does to No Local and Retain As Published; the standard says `replaced` [MQTT-3.8.4-3]. */
  readonly optionsAtResubscribing: 'replaced' | 'kept';
  /**
   * Whether the will of a connection is published when another one takes over its session. The
   * standard demands it (MQTT
   * 3.1.1, 3.1.2.5; MQTT 5, 3.1.4), unless the will has a delay.
   */
  readonly willOnTakeover: 'published' | 'discarded';
  readonly groups: GroupRules;
}

/** What outlives the broker's process. */
export interface Durability {
  /** Sessions, with their subscriptions and messages, over a graceful restart. */
  readonly onRestart: 'kept' | 'forgotten';
  /**
   * The same after SIGKILL. `savedEveryMs`: everything goes back to how it was at the last save.
   * `lostLastMs`: messages that were taken within that time before are lost.
   */
  readonly onKill: 'kept' | 'forgotten' | { savedEveryMs: number } | { lostLastMs: number };
  /**
   * Shared subscriptions of sessions that are kept; `forgotten` although the CONNACK says that the
   * session is present.
   */
  readonly groups: 'kept' | 'forgotten';
  /**
   * Whether sessions that were restored may read before their client connects again: `withoutAcl`:
   * only where there is no access control list; otherwise what is published until then is not
   * queued for them.
   */
  readonly restoredMayRead: 'always' | 'withoutAcl';
  /** Retained messages, over both kinds of restart. */
  readonly retained: 'kept' | 'forgotten';
}

/** How many messages of QoS 1 and 2 may be sent and not acknowledged. */
export interface InFlightRules {
  readonly max: number;
  /**
   * The client's Receive Maximum (MQTT 5): it `replaces` the broker's own maximum, `caps` it, or is
   * `ignored`; `strands`: what goes beyond it is not sent as long as the connection lasts, even
   * when there is room again.
   */
  readonly receiveMaximum: 'replaces' | 'caps' | 'ignored' | 'strands';
  /** How many before the first acknowledgement of a connection; 0 for as many as later. */
  readonly maxAtFirst: number;
  /**
   * How many messages of the queue an acknowledgement lets go: one, or the maximum less those that were sent before the
   * acknowledged one and are not acknowledged, so that a backlog makes more and more unacknowledged.
   */
  readonly acknowledgementFrees: 'one' | 'maximum';
}

/** Messages that wait for a session. */
export interface QueueRules {
  readonly max: number;
  /** Which message is dropped when there are as many as may be. */
  readonly drops: 'newest' | 'oldest';
  /** Whether messages of QoS 0 are queued for sessions without a connection. */
  readonly keepsQos0: boolean;
}

/** Shared subscriptions. */
export interface GroupRules {
  /**
   * Who queues. `member`: each message goes to the session of one member at once. `group`: the
   * group keeps it until a connected member has acknowledged everything, and gives this one as much
   * as its window takes.
   */
  readonly queuedBy: 'member' | 'group';
  /** Whether members without a connection get messages like others, or only where no member has one. */
  readonly offlineMembers: 'takeTurns' | 'lastResort';
  /** What becomes of the messages of a member whose session ends. */
  readonly endedMember: 'lost' | 'redistributed';
  /** How long groups get nothing after SIGKILL of the broker; 0 for no time. */
  readonly stallAfterKillMs: number;
  /**
   * Whether the broker stops serving everybody when a member that lost its connection without a
   * DISCONNECT subscribes again, until it is restarted.
   */
  readonly returningMemberHangsBroker: boolean;
}
