import type { KnownDefect } from './known-defect.ts';

/** Defects that the simulation found first. */
export const foundDefects: readonly KnownDefect[] = [
  {
    name: 'staging-mark-kept',
    was: 'The write that removes a relation to a deleted entity passed the whole entity instead of its name, and so preserved the mark of a staged write.',
    noticed: 'A relation to a deleted entity reappears permanently.',
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
      test: 'has no relation from a write whose %s come after the deletion',
    },
    workload:
      'A track with more relations than a transaction allows is written in steps; during this staged write, a related artist is deleted with detach=true. After both have completed, the track must not relate to the artist.',
  },
  {
    name: 'retained-in-first-replay',
    was: 'With MQTT 3.1.1 a process treated each replay of a retained message as new during its first session.',
    noticed: 'A retained reading without a time is stored again with each connection.',
    replacements: [
      {
        file: 'libs/mqtt/src/messages/retained-replays.ts',
        text: 'if (this.#wasSubscribedAtPing) this.#hasReceivedAll = true;',
        by: 'void this.#wasSubscribedAtPing;',
      },
    ],
    guardedBy: {
      file: 'libs/mqtt/test/retained-session.test.ts',
      test: 'is not another reading, where others have come on its topic since',
    },
    workload:
      'MQTT 3.1.1, plain subscriptions or partitions; a device publishes a retained message without a time, then messages that are not retained to the same topic; the connection is lost, and the session continues.',
  },
  {
    name: 'parked-twice',
    was: 'A batch of deletions could name an item twice, which DynamoDB always rejects.',
    noticed:
      'Parked blocks stay in the table permanently, and their deletion is retried twenty times a second.',
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
      'The key of a device is throttled for longer than 250 ms; meanwhile a client without a response posts the same readings with a time twice, so that two groups of readings are parked as one block.',
  },
  {
    name: 'in-flight-beyond-window',
    was: 'A session remembered the last MQTT_WINDOW messages, even with MQTT 3.1.1, where the broker does not know the window.',
    noticed:
      'After a lost connection, readings without a time are stored twice, with Mosquitto and an MQTT_WINDOW below 20.',
    replacements: [
      {
        file: 'libs/mqtt/src/messages/receiver.ts',
        text: 'Math.max(options.window, maxInFlight)',
        by: 'options.window',
      },
    ],
    guardedBy: {
      file: 'libs/mqtt/test/redelivery.test.ts',
      test: 'is known with MQTT 3.1.1, too, where the broker has more in flight than the window',
    },
    workload:
      'MQTT 3.1.1, MQTT_WINDOW of 1 or 5, a broker with 20 messages in flight; messages without a time are stored, and the connection is lost before the broker has received their acknowledgements.',
  },
  {
    name: 'former-shards',
    was: 'A recreated device had no shards and no span, while ingestion still stored readings in the shards of the former device.',
    noticed:
      'Acknowledged readings are not returned, and remain in the table after the device is deleted.',
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
      'The key of a device is throttled until its readings are spread over shards. Users delete and recreate the device, then upload past readings, within a day and without a restart of ingestion.',
  },
  {
    name: 'returned-by-old-note',
    was: 'An update of the time at which a device was last seen, delayed by the throttled key of the device, recreated the device after its deletion.',
    noticed:
      'A device that is deleted while its key is throttled reappears without sending a message.',
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
      'The key of a device is throttled for seconds; readings are posted, and the device is deleted as soon as the table accepts the write. No readings of the device are sent until a user creates the device: the creation must not find an existing device.',
  },
];
