/**
 * The behaviour of one broker where brokers differ. Numbers have units in their names; 0 as a
 * maximum means "none". Sources of a profile's values stand in `profiles/`.
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
    /** Whether redelivery respects the Receive Maximum of the new connection, or is sent at once. */
    readonly keepsToMaximum: boolean;
    /** Whether queued messages are treated as if they had been sent before. */
    readonly countsQueuedAsSent: boolean;
  };
  readonly queue: QueueRules;
  /**
   * The response to a denied subscription: `refused` is a reason code in the SUBACK; `granted` is a
   * success without messages afterwards.
   */
  readonly deniedSubscription: 'refused' | 'granted';
  readonly retained: {
    /** Replays retained messages at every SUBSCRIBE, ignoring the Retain Handling of MQTT 5. */
    readonly ignoresRetainHandling: boolean;
    /** Replays them for shared subscriptions too; MQTT 5, 4.8.2, says that none are sent. */
    readonly replayedToGroups: boolean;
  };
  /**
   * Deliveries of a message that matches several subscriptions of a session: one with the highest
   * QoS and all subscription identifiers (`merged`), or one per subscription; the standard allows
   * both (MQTT 5, 3.3.4). `eachInMqtt5`: clients of MQTT 3.1.1 receive one, for the most specific
   * subscription.
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

/** State that survives the broker's process. */
export interface Durability {
  /** Sessions, with their subscriptions and messages, over a graceful restart. */
  readonly onRestart: 'kept' | 'forgotten';
  /**
   * The same after SIGKILL. `savedEveryMs`: the state of the last save is restored. `lostLastMs`:
   * messages of this time before the kill are lost.
   */
  readonly onKill: 'kept' | 'forgotten' | { savedEveryMs: number } | { lostLastMs: number };
  /**
   * Shared subscriptions of sessions that are kept; `forgotten` although the CONNACK says that the
   * session is present.
   */
  readonly groups: 'kept' | 'forgotten';
  /**
   * Whether restored sessions receive messages before their client reconnects; `withoutAcl`: only
   * without an access control list; otherwise messages are not queued for them until then.
   */
  readonly restoredMayRead: 'always' | 'withoutAcl';
  /** Retained messages, over both kinds of restart. */
  readonly retained: 'kept' | 'forgotten';
}

/** Limits of unacknowledged messages of QoS 1 and 2. */
export interface InFlightRules {
  readonly max: number;
  /**
   * The client's Receive Maximum (MQTT 5): it `replaces` the broker's own maximum, `caps` it, or is
   * `ignored`; `strands`: what goes beyond it is not sent as long as the connection lasts, even
   * when there is room again.
   */
  readonly receiveMaximum: 'replaces' | 'caps' | 'ignored' | 'strands';
  /** Maximum before the first acknowledgement of a connection; 0: the same as later. */
  readonly maxAtFirst: number;
  /**
   * Number of queued messages sent per acknowledgement: one, or the maximum minus the
   * unacknowledged messages that were sent before the acknowledged one, so that a backlog increases
   * the number of unacknowledged messages.
   */
  readonly acknowledgementFrees: 'one' | 'maximum';
}

/** Messages that wait for a session. */
export interface QueueRules {
  readonly max: number;
  /** Which message is dropped when the queue is full. */
  readonly drops: 'newest' | 'oldest';
  /** Whether messages of QoS 0 are queued for sessions without a connection. */
  readonly keepsQos0: boolean;
}

/** Shared subscriptions. */
export interface GroupRules {
  /**
   * Where messages are queued. `member`: each message is assigned to the session of one member at
   * once. `group`: the group keeps messages until a connected member has acknowledged all of its
   * own, and delivers as many as its window allows.
   */
  readonly queuedBy: 'member' | 'group';
  /** Whether disconnected members receive messages like others, or only when no member is connected. */
  readonly offlineMembers: 'takeTurns' | 'lastResort';
  /** Handling of the messages of a member whose session ends. */
  readonly endedMember: 'lost' | 'redistributed';
  /** Milliseconds without delivery to groups after SIGKILL of the broker. */
  readonly stallAfterKillMs: number;
  /**
   * Whether the broker stops delivering to all clients when a member resubscribes after a
   * connection that ended without a DISCONNECT, until a restart.
   */
  readonly returningMemberHangsBroker: boolean;
}
