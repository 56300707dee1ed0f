import type { KnownDefect } from './known-defect.ts';

const checkReadings = 'apps/ingestion/src/intake/check-readings.ts';
const gate = 'libs/mqtt/src/gate/acknowledgement-gate.ts';
const incomingMessages = 'apps/ingestion/src/intake/incoming-messages.ts';
const deliveries = 'tools/system-tests/test/readings/deliveries.test.ts';

/** Defects in the identity, order, time and values of readings, and in recognizing repeated messages. */
export const readingDefects: readonly KnownDefect[] = [
  {
    name: 'readings-by-content',
    was: 'A reading without a time was identified by its millisecond and content, not by its delivery (docs/adr/0095).',
    noticed:
      'Forty presses of a button in four milliseconds are four readings, although all were acknowledged.',
    replacements: [
      {
        file: 'libs/model/src/readings/reading.ts',
        text: 'return reading.delivery ?? contentOf(reading);',
        by: 'return contentOf(reading);',
      },
    ],
    guardedBy: {
      file: deliveries,
      test: 'are as many as deliveries, also where messages are equal',
    },
    workload:
      'No fault. A device publishes several equal messages without a time in one millisecond, or an array of equal readings, or posts it. All are acknowledged, and fewer readings are returned than deliveries.',
  },
  {
    name: 'equal-times-by-content',
    was: 'Readings of one time were in the order of their content, not of their receipt (docs/adr/0095).',
    noticed: 'A door that sends `open`, then `closed` with one time, is shown as open.',
    replacements: [
      {
        file: 'libs/model/src/readings/sort-readings.ts',
        text: "import { identityOf } from './reading.ts';",
        by: "import { contentOf, identityOf } from './reading.ts';",
      },
      {
        file: 'libs/model/src/readings/sort-readings.ts',
        text: "const [a = '', b = ''] = [left.order, right.order];",
        by: 'const [a, b] = [contentOf(left), contentOf(right)];',
      },
    ],
    guardedBy: { file: deliveries, test: 'are in the order of receipt also in separate blocks' },
    workload:
      'No fault; a single replica, or partitions: the members of a group receive in any order. A device publishes different states with one time; pages, `latest`, or both have them in another order than published.',
  },
  {
    name: 'expired-accepted',
    was: 'A reading older than the retention of its device was accepted and acknowledged.',
    noticed:
      'The block of the reading has expired already: the reading is lost without a dead letter.',
    replacements: [
      {
        file: 'apps/ingestion/src/intake/retention.ts',
        text: 'if (days === 0) return checked;',
        by: 'return checked;',
      },
    ],
    guardedBy: {
      file: 'apps/ingestion/test/expired-readings.test.ts',
      test: 'becomes a dead letter over MQTT; the other readings of the message are stored',
    },
    workload:
      'RETENTION_DAYS limits thermometers to some days. A thermometer publishes a reading from ten days ago, or posts it; no fault. The dead letter is missing, or the response says that the reading is stored.',
  },
  {
    name: 'forgotten-when-refused',
    was: 'A refused CONNACK, which never has a present session, made the process forget the deliveries of its session.',
    noticed:
      'While a broker refuses clients for some seconds, readings without a time are stored twice.',
    replacements: [
      {
        file: 'libs/mqtt/src/subscriber.ts',
        text: "if (packet.cmd === 'connack' && isAccepted(packet) && !this.#isAccepted) {",
        by: "if (packet.cmd === 'connack') {",
      },
    ],
    guardedBy: {
      file: 'apps/ingestion/test/refused-connection.test.ts',
      test: 'a redelivered message without a time is the same reading',
    },
    workload:
      'A broker that marks redeliveries with DUP and keeps sessions. Its connections end while messages without a time are unacknowledged, since their readings linger or are being written, and it refuses the next CONNECT of the living process. The messages are delivered again to the same process, with DUP. Only an oracle that distinguishes this from a redelivery to another process finds the defect.',
  },
  {
    name: 'retained-in-new-session',
    was: 'A retained message without a time that a broker replays to a new session was a new reading (docs/adr/0100).',
    noticed: 'Each rollout with another host name stores the last value of each device again.',
    replacements: [
      {
        file: 'apps/ingestion/src/intake/replayed-readings.ts',
        text: 'if (received.source?.retained !== true) return checking;',
        by: 'return checking;',
      },
    ],
    guardedBy: {
      file: 'apps/ingestion/test/retained-replays.test.ts',
      test: 'is no other reading where the device has no newer values',
    },
    workload:
      'Plain subscriptions or partitions, or a group at a broker that replays retained messages to groups. No fault. A device has published a retained message without a time; all replicas of ingestion end, and start again with sessions that the broker does not know.',
  },
  {
    name: 'stall-by-own-messages',
    was: 'Only messages of own partitions counted as being in flight when a stalled broker was detected. (The replacements count each message from its receipt to its release.)',
    noticed:
      'With partitions and a broker with 20 messages in flight, each window of messages waits for the linger: a backlog is stored at 20 messages a second.',
    replacements: [
      { file: gate, text: 'this.#options.inFlight?.received();', by: '' },
      { file: gate, text: 'this.#options.inFlight?.acknowledged(count);', by: '' },
      {
        file: gate,
        text: 'if (this.#entries.length > 0) this.#options.inFlight?.lost(this.#entries.length);',
        by: '',
      },
      {
        file: incomingMessages,
        text: 'const claim = memory.hold(deadLetterWeight(message.payload.length));',
        by: `const claim = memory.hold(deadLetterWeight(message.payload.length));
    this.#options.stall.received();`,
      },
      {
        file: incomingMessages,
        text: 'oldestMessage.released(received);',
        by: 'oldestMessage.released(received); this.#options.stall.acknowledged(1);',
      },
    ],
    guardedBy: {
      file: 'apps/ingestion/test/partitions.test.ts',
      test: 'stores its messages before the linger ends, at a broker with 20 messages in flight',
    },
    workload:
      'Partitions of three replicas, of which one has a quarter of the messages, LINGER_MS of a second, and 20 to 30 messages in flight (MQTT 3.1.1 at Mosquitto, or MQTT_WINDOW=50). No fault. Devices publish hundreds of readings at once.',
  },
  {
    name: 'bad-value-refuses-reading',
    was: 'A value that cannot be stored refused its whole reading (docs/adr/0096).',
    noticed: 'A sensor that reports an infinite number beside good ones has no readings.',
    replacements: [
      {
        file: checkReadings,
        text: 'const isNamed = checked.refusals.addPartial(index, flat.leftOut, fields);',
        by: 'const isNamed = false;',
      },
    ],
    guardedBy: {
      file: 'apps/ingestion/test/left-out-values.test.ts',
      test: 'the answer counts stored readings, and names left-out values',
    },
    workload:
      'No fault. A device publishes or posts a reading with NaN, an infinity, 1e400 or half of a surrogate pair beside good values.',
  },
  {
    name: 'clock-ahead-unmarked',
    was: 'Readings ahead of their receipt were not noted at their device (docs/adr/0097).',
    noticed: 'A device whose local time is read as UTC has wrong times, and nothing says so.',
    replacements: [
      {
        file: checkReadings,
        text: 'if (reading.time > receivedAt + tolerableAheadMs) noteAhead(checked, reading, receivedAt);',
        by: '',
      },
    ],
    guardedBy: {
      file: 'apps/ingestion/test/clocks-ahead.test.ts',
      test: 'is stored, and counted by a metric and at its device',
    },
    workload:
      'No fault. A device publishes a reading eight hours ahead. Some seconds later the registry returns the device without `clockAhead`.',
  },
];
