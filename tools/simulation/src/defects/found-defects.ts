import type { KnownDefect } from './known-defect.ts';

/** Of which nobody knew before worlds were simulated. */
export const foundDefects: readonly KnownDefect[] = [
  {
    name: 'staging-mark-kept',
    was: 'The write that takes a relation to a deleted entity away put a whole entity in place of its name, and so kept the mark of a staged write.',
    noticed: 'A relation to an entity that is deleted is there again, and stays.',
    replacements: [
      {
        file: 'apps/catalog/src/entities/write/next-entity.ts',
        text: `    type: name.type,
    id: name.id,`,
        by: '    ...name,',
      },
      {
        file: 'apps/catalog/src/entities/delete/detach-entity.ts',
        text: 'const name = { type: entity.type, id: entity.id };',
        by: 'const name = entity;',
      },
    ],
    guardedBy: {
      file: 'apps/catalog/test/deleted-while-staged.test.ts',
      test: 'is not related to by a write whose %s come after that',
    },
    workload:
      'A track with more relations than one transaction takes is written in steps; while that is under way, an artist that it relates to is deleted with detach=true. Once both are done, the track must not relate to the artist.',
  },
  {
    name: 'retained-in-first-replay',
    was: 'With MQTT 3.1.1 a process took each replay of a retained message for a new one in the session with which it had begun.',
    noticed: 'A retained reading without a time is stored again with each connection.',
    replacements: [
      {
        file: 'libs/mqtt/src/messages/receiver.ts',
        text: 'if (isDrained && this.#isSubscribedAtPing) this.#hasAllRetained = true;',
        by: 'void isDrained;',
      },
    ],
    guardedBy: {
      file: 'libs/mqtt/test/retained-session.test.ts',
      test: 'is not another reading, where others have come on its topic since',
    },
    workload:
      'MQTT 3.1.1, plain subscriptions or partitions; a device publishes a retained message without a time, then others, not retained, come on its topic; the connection is lost, and the session goes on.',
  },
  {
    name: 'parked-twice',
    was: 'A batch of deletions could name an item twice, which DynamoDB refuses each time.',
    noticed:
      'Parked blocks stay in the table for ever, and their deletion is asked for twenty times a second.',
    replacements: [
      {
        file: 'libs/table/src/table.ts',
        text: `deleteAll(keys: readonly Key[], options: { signal?: AbortSignal } = {}): Promise<void> {
    const batch = { client: this.#client, tableName: this.tableName, ...options };`,
        by: `deleteAll(distinct: readonly Key[], options: { signal?: AbortSignal } = {}): Promise<void> {
    const batch = { client: this.#client, tableName: this.tableName, ...options };
    const keys: readonly Key[] = [];`,
      },
      {
        file: 'libs/table/src/table.ts',
        text: `    // DynamoDB rejects a batch that names an item twice, each time that it is sent.
    const distinct = distinctKeys(keys);`,
        by: '    void keys;',
      },
    ],
    guardedBy: { file: 'libs/table/test/delete-all.test.ts', test: 'named twice' },
    workload:
      'The key of a device is throttled for longer than a quarter of a second; equal readings with a time are posted twice meanwhile (a client that got no answer), so that two groups of readings are parked as one block.',
  },
  {
    name: 'in-flight-beyond-window',
    was: 'A session remembered as many durable messages as MQTT_WINDOW has places, also with MQTT 3.1.1, where the broker does not know the window.',
    noticed:
      'After a connection that is lost, readings without a time are there twice: at a Mosquitto with MQTT_WINDOW below 20.',
    replacements: [
      {
        file: 'libs/mqtt/src/messages/receiver.ts',
        text: "version === '5' ? own : Math.max(own, maxInFlight)",
        by: 'own',
      },
    ],
    guardedBy: {
      file: 'libs/mqtt/test/redelivery.test.ts',
      test: 'is known with MQTT 3.1.1, too, where the broker has more in flight than the window',
    },
    workload:
      'MQTT 3.1.1, MQTT_WINDOW of 1 or 5, a broker with 20 in flight; messages without a time are stored, and the connection is lost before the broker has seen their acknowledgements.',
  },
  {
    name: 'former-shards',
    was: 'A device that was created again had no shards and no span, while ingestion still stored in the shards of the former one.',
    noticed:
      'Readings that are acknowledged are not shown, and stay when the device is deleted again.',
    replacements: [
      {
        file: 'libs/table/src/write/create-device.ts',
        text: 'remove: tombstoneFields,',
        by: "remove: [...tombstoneFields, 'shards'],",
      },
      {
        file: 'apps/ingestion/src/devices/known-device.ts',
        text: 'return now - readAt < maxItemAgeMs;',
        by: 'return readAt <= now;',
      },
    ],
    guardedBy: {
      file: 'apps/registry/test/delete-and-create.test.ts',
      test: 'keeps the shards and the span of the former device',
    },
    workload:
      'The key of a device is throttled until its readings are spread over shards. People delete the device and create it again, then upload readings of the past, within a day in which ingestion has not been started again.',
  },
  {
    name: 'returned-by-old-note',
    was: 'A note of when a device was seen, delayed by its throttled key, registered a device that had been deleted since.',
    noticed:
      'A device that is deleted while its key is throttled is there again, though it has sent nothing since.',
    replacements: [
      {
        file: 'apps/ingestion/src/devices/bookkeeping/device-updates.ts',
        text: 'return seenAt === undefined || seenAt <= deletedAt;',
        by: 'return false;',
      },
    ],
    guardedBy: {
      file: 'apps/ingestion/test/deleted-device.test.ts',
      test: 'does not return because of a delayed update',
    },
    workload:
      'The key of a device is throttled for seconds; readings are posted, and the device is deleted as soon as the key takes the deletion. Nothing is sent for it until somebody creates it again, which must not find one.',
  },
];
