import type { KnownDefect } from './known-defect.ts';

const deadLetterOfMessage = 'apps/ingestion/src/dead-letters/dead-letter-of-message.ts';
const deadLetterIdentity = 'apps/ingestion/test/dead-letter-identity.test.ts';

/** Of messages, on their way from the decoder to the table. */
export const messageDefects: readonly KnownDefect[] = [
  {
    name: 'dead-letters-by-content',
    was: 'A dead letter was named by day, topic and payload alone, so equal messages of a day were one dead letter (as it was then, but for the writer, which now leaves out equal puts that are superseded).',
    noticed:
      'A door without a time in its messages opens six times while its device is not admitted: two dead letters are left, and after their replay four events are missing.',
    replacements: [
      {
        file: deadLetterOfMessage,
        text: 'for (const text of [topic, session, `${messageId}`])',
        by: 'for (const text of [topic])',
      },
      {
        file: deadLetterOfMessage,
        text: 'id: deadLetterId({ receivedAt, delivery, unique }),',
        by: 'id: deadLetterId({ receivedAt, delivery, unique: delivery.subarray(5) }),',
      },
    ],
    guardedBy: { file: deadLetterIdentity, test: 'without a time are a dead letter each' },
    workload:
      'One device publishes the same bytes that no decoder takes (`not json at all`) to the same topic at least twice on one UTC day of the replica that receives them, QoS 1; any MQTT version, any number of replicas, no fault. Before dead letters expire (14 days): GET /v1/deadLetters?day=… lists fewer dead letters of that topic and payload size than the broker took messages. Dead letters may be more than messages (a redelivery that reaches another session, or comes without DUP), never fewer.',
  },
  {
    name: 'dead-letters-chained',
    was: 'The put of a dead letter waited for the put of the equal dead letter before it, one round trip each, since both had one key (the keys differ today, and the writer supersedes puts of one key: a chain for each topic and payload is put in their place).',
    noticed:
      'A device that repeats a bad message thousands of times delays the readings of all others, because acknowledgements leave in order: 9.7 s for 6,000 equal messages, 1.4 s for different ones.',
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
      'One device publishes 1,000 to 2,000 equal undecodable messages without a pause, another device one good reading behind them; MQTT_WINDOW=2000, MQTT 5, a broker that goes by the receive maximum of the client (Mosquitto, VerneMQ; others, and all with MQTT 3.1.1, have 20 to 100 in flight), no fault, a table that answers in 5 ms or more. The good reading is acknowledged after 1,000 round trips (5 s and more) where 40 batches suffice (under a second); or count BatchWriteItem requests: about one for each dead letter where there is one for 25. With 1 to 100 in flight little shows: acknowledgements make a chain anyway.',
  },
  {
    name: 'poison-stalls',
    was: 'User properties of a dead letter were a map, which can have no name `__proto__`; a dead letter that the table rejected was not shortened, and an unexpected error stored no dead letter: the message stayed unacknowledged for ever.',
    noticed:
      'One message stops the stream: acknowledgements leave in order, so once the window is full no reading of any device is stored any more, also after a restart.',
    replacements: [
      {
        file: 'libs/model/src/dead-letter.ts',
        text: 'properties: rest.properties.map(([name, value]) => [name, value]),',
        by: 'properties: Object.fromEntries(rest.properties),',
      },
      {
        file: 'apps/ingestion/src/dead-letters/dead-letter-store.ts',
        text: 'await this.#writeMinimal(minimalDeadLetter(deadLetter), origins);',
        by: "throw new Error('the table refused a dead letter');",
      },
      {
        file: 'apps/ingestion/src/intake/incoming-messages.ts',
        text: 'return toInternalRefusal(error);',
        by: 'throw error;',
      },
    ],
    guardedBy: {
      file: 'apps/ingestion/test/poison-messages.test.ts',
      test: 'a dead letter with a user property named __proto__',
    },
    workload:
      'Either: MQTT 5 between publisher, broker and ingestion (MQTT_VERSION=5), and an undecodable message with a user property named `__proto__` (of an object that JSON.parse or Object.fromEntries has made: a literal sets its prototype), which the broker hands on; no fault. Or, with any version: the item of a device in the table is one that cannot be read (its key with a name alone), and the device, which ingestion has not in memory, publishes a good reading. The message is never acknowledged: progress of the oldest unacknowledged message stops for good, /readyz says so after two minutes, and after MQTT_WINDOW further messages (soon with 1, 5 or 50) no reading of any device is stored.',
  },
  {
    name: 'parked-for-one-replica',
    was: 'What was kept aside for a throttled device was resumed only by the replica that had put it there (then as dead letters, resumed when it started; now as parked blocks, adopted by their owner alone).',
    noticed:
      'After a scale-down readings that were acknowledged are in no answer, until the replica of that name comes back.',
    replacements: [
      {
        file: 'apps/ingestion/src/storing/parking/adopt-parked-blocks.ts',
        text: 'block.owner === replica || Date.now() - block.parkedAt > takeOverAfterMs;',
        by: 'block.owner === replica;',
      },
    ],
    guardedBy: {
      file: 'apps/ingestion/test/parked-blocks.test.ts',
      test: 'and those that another replica has long left, each once',
    },
    workload:
      'Two or more replicas of ingestion in a group (MQTT_GROUP, at a broker that keeps it), so that one can be taken away; with partitions MQTT_REPLICAS has to be lowered as well. The table throttles the partition key of one device (UnprocessedItems or ThrottlingException with TableWriteKeyRangeThroughputExceeded) and takes other keys, for longer than 250 ms, while a replica that is not the first receives readings of the device: it parks and acknowledges them. While the key is still throttled the replica is scaled away for good, by SIGTERM or SIGKILL: closing waits for acknowledgements, and parked readings have had theirs. Then the key is free. Three minutes later (120 s and a round of 30 s, plus what clocks of replicas differ by) query must have the readings, and no PARKED item may be left.',
  },
  {
    name: 'shelly-channels-in-one-field',
    was: 'The only meter of a message had the plain name of its quantity, whichever component it was: what `power` meant depended on what else was in the message (a name that is taken twice is qualified by the component now, by the path of the value then).',
    noticed:
      'Both channels of a Shelly 2PM are one field `power` and one `energyImport`; sums and increases over them are wrong, and nothing tells them apart later.',
    replacements: [
      {
        file: 'apps/ingestion/src/decoders/shelly.ts',
        text: 'const claims = components.flatMap(([component, part]) => claimsOf(component, part));',
        by: `const all = components.flatMap(([component, part]) => claimsOf(component, part));
  const quantityOf = ({ name }) => name.slice(name.lastIndexOf('.') + 1);
  const byQuantity = Map.groupBy(all, quantityOf);
  const claims = all.map((claim) =>
    byQuantity.get(quantityOf(claim)).length === 1 ? { ...claim, name: quantityOf(claim) } : claim,
  );`,
      },
    ],
    guardedBy: {
      file: 'apps/ingestion/src/decoders/streams.test.ts',
      test: 'boots without a time, then reports what changes, component by component',
    },
    workload:
      'A Shelly with two channels reports channel 1 without channel 0 in the message: `<device>/status/switch:1`, or a NotifyStatus with `switch:1` alone; one message, no fault, one replica, any version. Its reading has `power` and `energyImport` in place of `switch:1.power` and `switch:1.energyImport`.',
  },
];
