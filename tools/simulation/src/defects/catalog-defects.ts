import type { KnownDefect } from './known-defect.ts';

export const catalogDefects: readonly KnownDefect[] = [
  {
    name: 'stale-etag-catalog',
    was: 'The ETag of an entity was its version, which begins at 1 with each creation.',
    noticed:
      'A client overwrites or deletes an entity with the ETag of another one that had the id before: 200 in place of 412.',
    replacements: [
      {
        file: 'apps/catalog/src/entities/write/next-entity.ts',
        text: 'creation: before === undefined ? writeId : before.creation,',
        by: 'creation: undefined,',
      },
    ],
    guardedBy: {
      file: 'apps/catalog/test/entity-tags.test.ts',
      test: 'is never that of another of its id',
    },
    workload:
      'No fault, one replica. Create an entity and keep the ETag of the answer (version 1), DELETE it, create the same id again (version 1), then PUT, PATCH or DELETE with If-Match of the first: 412 is right. In general: the kept ETag has the same version number as the present entity, after as many changes. A client that keeps ETags of entities that others delete and create again, of few ids, meets it soon.',
  },
  {
    name: 'relations-to-former',
    was: 'A relation row that was there already was taken for what was wanted, though the entity it led to had been deleted since; it was not looked whether that is there, or another one.',
    noticed:
      'Relations to an entity that was deleted and created again are acknowledged and gone some seconds later (98 of 98); relations to an entity that is gone are accepted.',
    replacements: [
      {
        file: 'apps/catalog/src/entities/relations/incarnations.ts',
        text: 'if (rows.size === 0) return new Set();',
        by: 'return new Set();',
      },
    ],
    guardedBy: {
      file: 'apps/catalog/test/incarnations.test.ts',
      test: 'keeps the relations that were acknowledged after that',
    },
    workload:
      'Types Artist, and Track with a relation to it. Tracks relate to artist a; DELETE Artist a?detach=true (204); PUT Artist a again; PUT each Track with the very relations that it had, or PATCH one that names them: 200. All of that before the deletion has taken the old rows away. Without a fault that takes some hundred milliseconds for 20 relating tracks or more; longer where the replica that answered the DELETE is killed at once (another one goes on when the claim of 60 s is over, at a look of TASK_REFRESH_MS), or where GSI1 is behind when the tracks are written just before the DELETE (the rows are found two minutes later). Three to four minutes later each Track must still relate to a. Also: in the time between DELETE and PUT of a, PUT of a Track with its old relation must be refused (related-entity-not-found), not 200. One replica suffices; two with the kill.',
  },
  {
    name: 'type-unknown-elsewhere',
    was: 'A replica refused what it did not know of, a type, attribute, relation, search or ranking, without looking whether another replica had declared it since its last look.',
    noticed:
      'After PUT of a type writes through the other replica are answered 404 for a second (20 of 20), and loading a model behind two replicas fails.',
    replacements: [
      {
        file: 'apps/catalog/src/types/known/polled-types.ts',
        text: `await this.refresh();
    const found`,
        by: 'const found',
      },
      {
        file: 'apps/catalog/src/types/known/by-types.ts',
        text: 'await types.refresh();',
        by: '',
      },
    ],
    guardedBy: {
      file: 'apps/catalog/test/polled-types.test.ts',
      test: 'are known at once where another replica has declared them',
    },
    workload:
      'Two replicas of the catalog. PUT a new type through one; at once, within TYPE_REFRESH_MS (1 to 5 s), POST or PUT an entity of it, or search it, through the other: 201 or 200 is right, 404 type-not-found is the defect. The same for an attribute, relation, search or ranking that is added to a type: 400 or 404 search-not-found. No fault. A client that waits between declaring and writing, or stays with one replica, sees nothing.',
  },
];
