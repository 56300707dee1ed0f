import type { KnownDefect } from './known-defect.ts';

const deleteAndCreate = 'apps/registry/test/delete-and-create.test.ts';

export const registryAndQueryDefects: readonly KnownDefect[] = [
  {
    name: 'place-created-while-erased',
    was: 'A place could be created again while what belonged to the deleted one was still being purged (what was new was told by its time then; here the purge job deletes all that it finds, and ends once).',
    noticed:
      'Rooms, devices and history of a place that was created again are gone a moment after they were acknowledged.',
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
      'A place with a room and some ten devices; DELETE it (204), at once PUT it again (201; 409 being-deleted is right until the purge job has ended), PUT a room, place a device there: all acknowledged while the purge job runs. It takes some requests for each device and room, one after the other, so there are some hundred milliseconds without a fault; up to two minutes where the replica that answered the DELETE is killed at once and another one finds the purge job (PURGE_REFRESH_MS, and 60 s until a claim is over). Once no purge job is pending, the room must be there, the device in it, and its placement in the history. One replica suffices; two with the kill.',
  },
  {
    name: 'stale-etag-registry',
    was: 'The ETag of a device, place, room or correction was its version, which begins at 1 with each creation.',
    noticed:
      'A client renames or deletes a place with the ETag of another one that had the id before: 200 or 204 in place of 412.',
    replacements: [
      {
        file: 'apps/registry/src/revision.ts',
        text: 'return { version, creation };',
        by: 'return { version };',
      },
    ],
    guardedBy: { file: deleteAndCreate, test: 'has other ETags: %s' },
    workload:
      'No fault, one replica. PUT a place, room or device and keep the ETag of the answer; DELETE it; PUT it again until that is 201 (409 being-deleted before: some seconds for places and rooms, PURGE_QUIESCENCE_SECONDS, 120, and more for devices); then PUT, PATCH or DELETE with If-Match of the first, which has the same version number: 412 is right.',
  },
  {
    name: 'increase-by-page',
    was: 'The last value before a page was looked for in the day before its first bucket only, so a counter that is read less often did not rise where a page began.',
    noticed:
      'The increase of a month depends on `limit`: a meter that is read every second day has 0 in the first bucket with a value of each page.',
    replacements: [
      {
        file: 'apps/query/src/aggregates/device-share.ts',
        text: 'functions.some(isOfCounter) && !(await lookBack(source, further, before))',
        by: 'false',
      },
    ],
    guardedBy: {
      file: 'apps/query/test/aggregates-increase-pages.test.ts',
      test: 'is the same on pages of any size',
    },
    workload:
      'No fault, one replica. A counter with two days or more between two readings (a device that is away, a battery that is out, or a meter read every few days) for ten days or more; GET aggregates with fn=increase and every=P1D (or PT1H) over all of it, following cursors with a limit of 1 to 3. A page has to begin more than 25 hours behind the last value before it, and the next value has to be in that page; the last value must not be more than a day before `from` of the whole question, or it does not count on any page. The same with limit=1000 (one page), or a plain model, gives another sum.',
  },
];
