import type { KnownDefect } from './known-defect.ts';

const deadLetterOfMessage = 'apps/ingestion/src/dead-letters/dead-letter-of-message.ts';
const deadLetterIdentity = 'apps/ingestion/test/dead-letter-identity.test.ts';

/** Defects in decoding messages, and in storing readings and dead letters. */
export const messageDefects: readonly KnownDefect[] = [
  {
    name: 'dead-letters-by-content',
    was: 'The key of a dead letter was made of day, topic and payload, so equal messages of a day became one dead letter. (Unlike then, the writer now also leaves out superseded puts.)',
    noticed:
      'A door sensor whose messages have no time opens six times while its device is not admitted: two dead letters remain, and after their replay four events are missing.',
    replacements: [
      {
        file: deadLetterOfMessage,
        text: 'for (const text of [topic, session, `${messageId}`])',
        by: 'for (const text of [topic])',
      },
      {
        file: deadLetterOfMessage,
        text: 'id: deadLetterId({ receivedAt, delivery, unique }),',
        by: `id: deadLetterId({
      receivedAt: receivedAt - (receivedAt % 86_400_000),
      ...{ delivery, unique: delivery.subarray(5) },
    }),`,
      },
    ],
    guardedBy: { file: deadLetterIdentity, test: 'without a time are a dead letter each' },
    workload:
      'One device publishes the same undecodable bytes (`not json at all`) to the same topic at least twice on one UTC day of the receiving replica, QoS 1; any MQTT version, any number of replicas, no fault. Before dead letters expire (14 days), GET /v1/deadLetters?day=… lists fewer dead letters of that topic and payload size than the broker accepted messages. More dead letters than messages are possible (a redelivery to another session, or without DUP), fewer are not.',
  },
  {
    name: 'dead-letters-chained',
    was: 'The put of a dead letter waited for the put of the previous equal dead letter, one round trip each, since both had one key. (Today the keys differ, and the writer supersedes puts of one key: the replacement adds a chain of puts per topic and payload.)',
    noticed:
      'A device that repeats an undecodable message thousands of times delays the readings of all other devices, because acknowledgements are sent in order: 9.7 s for 6,000 equal messages, 1.4 s for different ones.',
    replacements: [
      {
        file: 'apps/ingestion/src/dead-letters/dead-letter-writer.ts',
        text: 'if (await this.#writeToFirst(deadLetter, origins)) return;',
        by: `const equal = \`\${deadLetter.topic} \${Buffer.from(deadLetter.payload).toString('base64')}\`;
      const before = (this.chains ??= new Map()).get(equal);
      const written = Promise.resolve(before).then(() => this.#writeToFirst(deadLetter, origins));
      this.chains.set(equal, written.catch(() => undefined));
      if (await written) return;`,
      },
    ],
    guardedBy: { file: deadLetterIdentity, test: 'do not wait for each other' },
    workload:
      'One device publishes 1,000 to 2,000 equal undecodable messages without a pause, then another device one valid reading; MQTT_WINDOW=2000, MQTT 5, a broker that respects the Receive Maximum of the client (Mosquitto, VerneMQ; others, and all with MQTT 3.1.1, have 20 to 100 messages in flight), no fault, a table with a latency of 5 ms or more. The valid reading is acknowledged after 1,000 round trips (5 s and more) instead of 40 batches (under a second); or count BatchWriteItem requests: about one per dead letter instead of one per 25. With 1 to 100 messages in flight the effect is small, since acknowledgements serialize the writes anyway.',
  },
  {
    name: 'poison-stalls',
    was: 'The user properties of a dead letter were a map, which cannot have the key `__proto__`; a dead letter that the table rejected was not shortened, and an unexpected error stored no dead letter: the message was never acknowledged.',
    noticed:
      'One message blocks all others: acknowledgements are sent in order, so once the window is full, no reading of any device is stored, even after a restart.',
    replacements: [
      {
        file: 'libs/model/src/dead-letters/dead-letter.ts',
        text: 'properties: rest.properties.map(([name, value]) => [name, value]),',
        by: 'properties: Object.fromEntries(rest.properties),',
      },
      {
        file: 'apps/ingestion/src/dead-letters/dead-letter-store.ts',
        text: 'await this.#writeMinimal(minimalDeadLetter(deadLetter), { origins: options.origins });',
        by: "throw new Error('the table refused a dead letter');",
      },
      {
        file: 'apps/ingestion/src/intake/incoming-messages.ts',
        text: 'return this.storeDeadLetter(received, [toInternalRefusal(error)]);',
        by: 'throw error;',
      },
    ],
    guardedBy: {
      file: 'apps/ingestion/test/poison-messages.test.ts',
      test: 'a dead letter with a user property named __proto__',
    },
    workload:
      'Either: MQTT 5 between publisher, broker and ingestion (MQTT_VERSION=5), and an undecodable message with a user property named `__proto__` (from JSON.parse or Object.fromEntries, since an object literal sets its prototype), which the broker forwards; no fault. Or, with any MQTT version: the item of a device in the table is invalid (only its key and a name), and the device, which is not in the memory of ingestion, publishes a valid reading. The message is never acknowledged: the oldest unacknowledged message stays the same, /readyz reports it after two minutes, and after MQTT_WINDOW further messages (soon with 1, 5 or 50) no reading of any device is stored.',
  },
  {
    name: 'parked-for-one-replica',
    was: 'Parked readings of a throttled device were stored only by the replica that had parked them. (Then as dead letters, replayed at the start of the replica; the replacement lets only the owner of a parked block adopt it.)',
    noticed:
      'After a scale-in, acknowledged readings are missing until a replica with the same name starts.',
    replacements: [
      {
        file: 'apps/ingestion/src/storing/parking/adopt-parked-blocks.ts',
        text: 'block.owner === replica || Date.now() - block.parkedAt > takeOverAfterMs;',
        by: 'block.owner === replica;',
      },
    ],
    guardedBy: {
      file: 'apps/ingestion/test/parked-blocks.test.ts',
      test: 'and abandoned ones of another replica, each once',
    },
    workload:
      'Two or more replicas of ingestion in a group (MQTT_GROUP, at a broker that keeps groups), so that one can be removed; with partitions MQTT_REPLICAS has to be lowered as well. The table throttles the partition key of one device (UnprocessedItems or ThrottlingException with TableWriteKeyRangeThroughputExceeded) and no other keys, for longer than 250 ms, while a replica other than replica 0 receives readings of the device: the replica parks and acknowledges the readings. While the key is still throttled the replica is permanently removed, by SIGTERM or SIGKILL: a shutdown waits for acknowledgements, and parked readings are already acknowledged. Then the throttle ends. Three minutes later (120 s and a round of 30 s, plus clock differences between replicas) query must return the readings, and no PARKED item may remain.',
  },
  {
    name: 'shelly-channels-in-one-field',
    was: 'The only meter of a message was named by its quantity without its component, so the meaning of `power` depended on other components of the message. (The current code qualifies a duplicate name by its component, the code of that time by the path of the value.)',
    noticed:
      'Both channels of a Shelly 2PM are stored as one field `power` and one `energyImport`; sums and increases are wrong, and the channels cannot be separated later.',
    replacements: [
      {
        file: 'apps/ingestion/src/decoders/shelly.ts',
        text: 'const quantities = components.flatMap(([component, part]) => quantitiesOf(component, part));',
        by: `const all = components.flatMap(([component, part]) => quantitiesOf(component, part));
  const quantityOf = ({ name }) => name.slice(name.lastIndexOf('.') + 1);
  const byQuantity = Map.groupBy(all, quantityOf);
  const quantities = all.map((named) =>
    byQuantity.get(quantityOf(named)).length === 1 ? { ...named, name: quantityOf(named) } : named,
  );`,
      },
    ],
    guardedBy: {
      file: 'apps/ingestion/src/decoders/streams.test.ts',
      test: 'boots without a time, then reports changes by component',
    },
    workload:
      'A Shelly with two channels reports channel 1 without channel 0 in the message: `<device>/status/switch:1`, or a NotifyStatus with only `switch:1`; one message, no fault, one replica, any MQTT version. The reading has `power` and `energyImport` instead of `switch:1.power` and `switch:1.energyImport`.',
  },
];
