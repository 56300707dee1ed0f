import type { KnownDefect } from './known-defect.ts';

const deleteAndCreate = 'apps/registry/test/delete-and-create.test.ts';

export const registryAndQueryDefects: readonly KnownDefect[] = [
  {
    name: 'place-created-while-erased',
    was: 'A place could be recreated while the purge job of the deleted place was still running. (The purge of that time recognized new items by their time; the current purge job deletes all items that it finds.)',
    noticed:
      'Rooms, devices and history of a recreated place disappear shortly after their acknowledgement.',
    replacements: [
      {
        file: 'apps/registry/src/places/place-store.ts',
        text: "await this.#options.table.put(item, { onlyIf: absent('pk'), idempotent: true });",
        by: "await this.#options.table.put(item, { onlyIf: absent('version'), idempotent: true });",
      },
      {
        file: 'apps/registry/src/purges/purge-job.ts',
        text: 'if (!(error instanceof ConditionFailed)) throw error;',
        by: `if (!(error instanceof ConditionFailed)) throw error;
    await table.delete(key);`,
      },
    ],
    guardedBy: { file: deleteAndCreate, test: 'keeps the devices of a %s that is created again' },
    workload:
      'A place with a room and about ten devices; DELETE the place (204), at once PUT it again (201; the expected response is 409 being-deleted until the purge job has completed), PUT a room, place a device in it: all acknowledged while the purge job runs. The purge job sends some sequential requests per device and room, so it takes some hundred milliseconds without a fault; up to two minutes if the replica that answered the DELETE is killed at once and another replica finds the purge job (PURGE_REFRESH_MS, and 60 s until a claim expires). After all purge jobs have completed, the room must exist, with the device in it, and with its placement in the history. One replica suffices; the kill needs two.',
  },
  {
    name: 'stale-etag-registry',
    was: 'The ETag of a device, place, room or correction was its version number, which restarts at 1 with each creation.',
    noticed:
      'A client renames or deletes a place with the ETag of a deleted place of the same id: 200 or 204 instead of 412.',
    replacements: [
      {
        file: 'apps/registry/src/revision.ts',
        text: 'return { version, creation };',
        by: 'return { version };',
      },
    ],
    guardedBy: { file: deleteAndCreate, test: 'has other ETags: %s' },
    workload:
      'No fault, one replica. PUT a place, room or device and keep the ETag of the response; DELETE it; repeat the PUT until the response is 201 (409 being-deleted before: some seconds for places and rooms, at least PURGE_QUIESCENCE_SECONDS, 120, for devices); then PUT, PATCH or DELETE with If-Match of the first ETag, which has the same version number: the expected response is 412.',
  },
  {
    name: 'increase-by-page',
    was: 'The last value before a page was searched only in the day before its first bucket, so a counter that is read less often had no increase at the start of a page.',
    noticed:
      'The increase of a month depends on `limit`: a meter that is read every second day has an increase of 0 in the first non-empty bucket of each page.',
    replacements: [
      {
        file: 'apps/query/src/aggregates/device-share.ts',
        text: '!(await addLastValues(source, search, before))',
        by: 'false',
      },
    ],
    guardedBy: {
      file: 'apps/query/test/aggregates-increase-pages.test.ts',
      test: 'is the same on pages of any size',
    },
    workload:
      'No fault, one replica. A counter with two days or more between two readings (an absent device, an empty battery, or a meter read every few days) for ten days or more; GET aggregates with fn=increase and every=P1D (or PT1H) over the whole period, following cursors with a limit of 1 to 3. A page has to begin more than 25 hours after the last value before it, and has to contain the next value. The same request with limit=1000 (one page), or a plain model, gives another sum.',
  },
];
