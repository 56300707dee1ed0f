import type { KnownDefect } from './known-defect.ts';

/** Of what brokers remember, repeat and forget. */
export const brokerDefects: readonly KnownDefect[] = [
  {
    name: 'retained-again',
    was: 'A retained message that the broker replays for a subscription was taken for a new one, also when it had been received before.',
    noticed:
      'A reading without a time is stored again with each connection (MQTT 3.1.1) or each lost session (MQTT 5): a door opens that nobody touched.',
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
      'Plain subscriptions, which all brokers replay to: one replica without MQTT_GROUP, or partitions. A device publishes a retained message without a time (statestream, Zigbee2MQTT), QoS 1, and nothing newer to that topic; ingestion stores it. MQTT 3.1.1: then the connection is cut, or a replica ends and starts, and the broker, which keeps the session, replays retained messages (RETAIN=1) at the new SUBSCRIBE. MQTT 5: the broker forgets the session and keeps its retained messages (a session that expires) while the process lives, and replays them because the subscription is new; or a group at Mosquitto, which replays to groups, too, and has forgotten the subscription in a restart. The same fields are there twice, at two times. Messages with a time show nothing. A process that is new and has lost its session, too, stores the replay in any case: that is documented.',
  },
  {
    name: 'group-forgotten',
    was: 'Replicas shared a subscription at every broker, and a single replica was in a group, too (partitions and the plain subscription of one replica came later; they form a group again, for any settings).',
    noticed:
      'Each restart of a Mosquitto loses the messages until ingestion has subscribed again, though it told their publishers that they were taken: 23,391 of 166,363.',
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
      file: 'tools/system-tests/test/faults/broker-restarts.test.ts',
      test: 'one replica',
    },
    workload:
      'A broker as Mosquitto: over a graceful restart it keeps sessions, their queues and plain subscriptions, says session present, and forgets shared subscriptions. MQTT_GROUP is not set: one replica, or several with MQTT_PARTITIONS; any version. Devices publish between the moment in which the broker listens again and the SUBSCRIBE of ingestion (its reconnect delay: 250 ms up to 10 s), QoS 1. The broker acknowledges these messages to their publishers and has no subscription for them. They count as taken from the first subscription of each session on: an oracle that excuses what the broker had no subscription for, or what it dropped in the sessions of other partitions, sees nothing.',
  },
  {
    name: 'subscriptions-not-renewed',
    was: 'A process did not subscribe again where the broker said that the session was present (then for plain subscriptions alone, here also for shared ones).',
    noticed:
      'After a restart of the broker ingestion is connected, ready, and gets nothing until it is restarted: 29 of 300 readings that were acknowledged were lost.',
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
      'Either MQTT_GROUP at a broker as Mosquitto, and one graceful restart while the process lives; or plain subscriptions at a broker that is killed after it has saved the session and before it has saved its subscriptions (Mosquitto saves each second at best), and then says session present. Any version, any number of replicas. Messages of every later time are lost, not only those of the gap: publish half a minute after the restart or later, and do not excuse what no subscription was there for. Readiness shows nothing: the topic of the self test is a plain subscription, which is there in the case of the group.',
  },
];
