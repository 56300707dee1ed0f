import type { KnownDefect } from './known-defect.ts';

/** Defects in the handling of a broker's sessions, subscriptions and retained messages. */
export const brokerDefects: readonly KnownDefect[] = [
  {
    name: 'retained-again',
    was: 'Ingestion treated a retained message that the broker replays for a subscription as new, even if it had received the message before.',
    noticed:
      'A reading without a time is stored again with each connection (MQTT 3.1.1) or each lost session (MQTT 5): a closed door appears to open.',
    replacements: [
      {
        file: 'libs/mqtt/src/messages/receiver.ts',
        text: 'if (!retain) return undefined;',
        by: 'return undefined;',
      },
    ],
    guardedBy: {
      file: 'libs/mqtt/test/retained.test.ts',
      test: 'is one message when the broker has forgotten the session and replays it',
    },
    workload:
      'Plain subscriptions, to which all brokers replay: one replica without MQTT_GROUP, or partitions. A device publishes a retained message without a time (statestream, Zigbee2MQTT), QoS 1, and no newer message to that topic; ingestion stores it. MQTT 3.1.1: then the connection is cut, or a replica restarts, and the broker, which keeps the session, replays retained messages (RETAIN=1) at the new SUBSCRIBE. MQTT 5: the broker loses the session and keeps its retained messages (a session that expires) while the process lives, and replays them because the subscription is new; or a group at Mosquitto, which also replays to groups, and has lost the subscription in a restart. The same fields are stored twice, at two times. Messages with a time do not show the defect. A new process without a session stores the replay in any case, as documented.',
  },
  {
    name: 'group-forgotten',
    was: 'Replicas shared a subscription at every broker, and even a single replica was in a group. (Partitions and the plain subscription of a single replica were added later; the replacements disable both, so that replicas form a group with any settings.)',
    noticed:
      'After each restart, Mosquitto acknowledges messages to their publishers but loses them, until ingestion has resubscribed: 23,391 of 166,363.',
    replacements: [
      {
        file: 'apps/ingestion/src/intake/sessions.ts',
        text: 'if (MQTT_PARTITIONS > 1) return partitionSessions(clientId, settings, decoders);',
        by: '',
      },
      {
        file: 'apps/ingestion/src/intake/subscription.ts',
        text: 'group: config.MQTT_GROUP,',
        by: "group: config.MQTT_GROUP ?? 'engawa',",
      },
    ],
    guardedBy: {
      file: 'tools/system-tests/test/faults/broker-restarts.long.test.ts',
      test: 'one replica',
    },
    workload:
      'A broker like Mosquitto: over a graceful restart it keeps sessions, their queues and plain subscriptions, reports a present session, and forgets shared subscriptions. MQTT_GROUP is not set: one replica, or several with MQTT_PARTITIONS; any MQTT version. Devices publish (QoS 1) after the broker accepts connections again and before the SUBSCRIBE of ingestion (its reconnect delay: 250 ms up to 10 s). The broker acknowledges these messages to their publishers but has no subscription for them. Messages count as accepted from the first subscription of each session on: an oracle that excuses messages without a subscription, or messages dropped in the sessions of other partitions, does not find the defect.',
  },
  {
    name: 'subscriptions-not-renewed',
    was: 'A process did not resubscribe if the broker reported a present session (originally only plain subscriptions; the replacement also affects shared ones).',
    noticed:
      'After a restart of the broker, ingestion is connected and ready, but receives no messages until it is restarted: 29 of 300 acknowledged readings were lost.',
    replacements: [
      {
        file: 'libs/mqtt/src/subscriptions/subscriptions.ts',
        text: 'this.#subscribe(connection, this.filters);',
        by: `if (connack.sessionPresent && connection > 1) this.#options.onSubscribed();
    else this.#subscribe(connection, this.filters);`,
      },
    ],
    guardedBy: undefined,
    workload:
      'Either MQTT_GROUP at a broker like Mosquitto, and one graceful restart while the process lives; or plain subscriptions at a broker that is killed after it has saved the session and before it has saved its subscriptions (Mosquitto saves each second at best), and then reports a present session. Any MQTT version, any number of replicas. All later messages are lost, not only those of the gap: publish half a minute after the restart or later, and do not excuse messages without a subscription. Readiness does not show the defect: the topic of the self test is a plain subscription, which a broker with groups keeps.',
  },
];
