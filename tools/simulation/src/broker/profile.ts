/**
 * The behaviour of one broker where brokers differ. 0 as a maximum means "no maximum". The files in
 * `profiles/` cite the source of each value.
 */
export interface BrokerProfile {
  readonly name: string;
  readonly durability: Durability;
  readonly inFlight: InFlightRules;
  readonly redelivery: {
    /** Order of redeliveries after a reconnect; `mixed`: any order among messages of the same second. */
    readonly order: 'kept' | 'mixed';
    /** Whether redeliveries have the DUP flag, as [MQTT-3.3.1-1] demands. */
    readonly marksDup: boolean;
    /** Whether redeliveries respect the Receive Maximum of the new connection; otherwise all are sent at once. */
    readonly keepsToMaximum: boolean;
    /** Whether queued messages count as sent, and have DUP at their first delivery. */
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
    /** Replays retained messages to shared subscriptions, against the standard (MQTT 5, 4.8.2). */
    readonly replayedToGroups: boolean;
  };
  /**
   * Deliveries of a message that matches several subscriptions of a session: one with the highest
   * QoS and all subscription identifiers (`merged`), or one per subscription; the standard allows
   * both (MQTT 5, 3.3.4). `eachInMqtt5`: clients of MQTT 3.1.1 receive one, for the most specific
   * subscription.
   */
  readonly overlappingSubscriptions: 'merged' | 'each' | 'eachInMqtt5';
  /** Effect of a second SUBSCRIBE on No Local and Retain As Published; the standard says `replaced` [MQTT-3.8.4-3]. */
  readonly optionsAtResubscribing: 'replaced' | 'kept';
  /**
   * Whether the will of a connection is published when another connection takes over its session.
   * The standard demands publication (MQTT 3.1.1, 3.1.2.5; MQTT 5, 3.1.4), unless the will has a
   * delay.
   */
  readonly willOnTakeover: 'published' | 'discarded';
  readonly groups: GroupRules;
}

/** State that survives the broker's process. */
export interface Durability {
  /** Sessions, with their subscriptions and messages, after a graceful restart. */
  readonly onRestart: 'kept' | 'forgotten';
  /**
   * Sessions after SIGKILL. `savedEveryMs`: the state of the last save is restored. `lostLastMs`:
   * messages of this period before the kill are lost.
   */
  readonly onKill: 'kept' | 'forgotten' | { savedEveryMs: number } | { lostLastMs: number };
  /**
   * Shared subscriptions of restored sessions; `forgotten` although the CONNACK says that the
   * session is present.
   */
  readonly groups: 'kept' | 'forgotten';
  /**
   * Whether messages are queued for a restored session before its client reconnects; `withoutAcl`:
   * only if the broker has no access control list.
   */
  readonly restoredMayRead: 'always' | 'withoutAcl';
  /** Retained messages, after both kinds of restart. */
  readonly retained: 'kept' | 'forgotten';
}

/** Limits of unacknowledged messages of QoS 1 and 2. */
export interface InFlightRules {
  readonly max: number;
  /**
   * The client's Receive Maximum (MQTT 5): it `replaces` the broker's own maximum, `caps` it, or is
   * `ignored`; `strands`: messages beyond it are not sent during the connection, even after
   * acknowledgements.
   */
  readonly receiveMaximum: 'replaces' | 'caps' | 'ignored' | 'strands';
  /** Maximum before the first acknowledgement of a connection; 0: `max` also applies before. */
  readonly maxAtFirst: number;
  /**
   * Number of queued messages sent per acknowledgement: one, or the maximum minus the
   * unacknowledged messages that were sent before the acknowledged one, so that a backlog increases
   * the number of unacknowledged messages.
   */
  readonly acknowledgementFrees: 'one' | 'maximum';
}

/** The queue of messages for one session. */
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
   * once. `group`: the group keeps messages until a connected member has no unacknowledged ones, and
   * then fills the member's window.
   */
  readonly queuedBy: 'member' | 'group';
  /** Whether disconnected members receive messages like connected ones, or only when no member is connected. */
  readonly offlineMembers: 'takeTurns' | 'lastResort';
  /** Handling of the messages of a member whose session ends. */
  readonly endedMember: 'lost' | 'redistributed';
  /** Milliseconds without delivery to groups after SIGKILL of the broker. */
  readonly stallAfterKillMs: number;
  /**
   * Whether the broker stops delivering to all clients, until a restart, when a member resubscribes
   * after a connection that ended without a DISCONNECT.
   */
  readonly returningMemberHangsBroker: boolean;
}
