import type { KnownDefect } from './known-defect.ts';

export const catalogDefects: readonly KnownDefect[] = [
  {
    name: 'stale-etag-catalog',
    was: 'The ETag of an entity was its version number, which restarts at 1 with each creation.',
    noticed:
      'A client overwrites or deletes an entity with the ETag of a deleted entity of the same id: 200 instead of 412.',
    replacements: [
      {
        file: 'apps/catalog/src/entities/write/next-entity.ts',
        text: 'creation: before === undefined ? writeId : before.creation,',
        by: 'creation: undefined,',
      },
    ],
    guardedBy: {
      file: 'apps/catalog/test/entity-tags.test.ts',
      test: 'differs from that of another incarnation of its id',
    },
    workload:
      'No fault, one replica. Create an entity and keep the ETag of the response (version 1), DELETE it, create an entity with the same id (version 1), then PUT, PATCH or DELETE with If-Match of the first ETag: the expected response is 412. In general: the former and the current entity have had the same number of changes. Clients that keep ETags of a few entities, which other clients delete and recreate, soon find the defect.',
  },
  {
    name: 'relations-to-former',
    was: 'A write kept an existing relation row without checking whether the related entity had been deleted, or recreated, in the meantime.',
    noticed:
      'Relations to a recreated entity are acknowledged and disappear some seconds later (98 of 98); relations to a deleted entity are accepted.',
    replacements: [
      {
        file: 'apps/catalog/src/entities/relations/incarnations.ts',
        text: 'if (rows.size === 0) return new Set();',
        by: 'return new Set();',
      },
    ],
    guardedBy: {
      file: 'apps/catalog/test/incarnations.test.ts',
      test: 'keeps relations acknowledged after its creation',
    },
    workload:
      'Types Artist, and Track with a relation to Artist. Tracks relate to artist a; DELETE Artist a?detach=true (204); PUT Artist a again; PUT each Track with its previous relations, or PATCH one with these relations: 200. All requests are sent before the deletion has removed the old rows. Without a fault the removal takes some hundred milliseconds for 20 or more related tracks; it takes longer if the replica that answered the DELETE is killed at once (another replica continues when the claim of 60 s has expired, at its next TASK_REFRESH_MS), or if GSI1 lags when the tracks are written just before the DELETE (the rows are found two minutes later). Three to four minutes later each Track must still relate to a. Also: between DELETE and PUT of a, a PUT of a Track with its old relation must be rejected (related-entity-not-found), not accepted with 200. One replica suffices; the kill needs two.',
  },
  {
    name: 'type-unknown-elsewhere',
    was: 'A replica rejected an unknown type, attribute, relation, search or ranking without a refresh, although another replica might have declared it since the last refresh.',
    noticed:
      'After PUT of a type, another replica responds to writes with 404 for a second (20 of 20), and loading a data model through two replicas fails.',
    replacements: [
      {
        file: 'apps/catalog/src/types/known/polled-types.ts',
        text: `await this.refresh();
    const found`,
        by: 'const found',
      },
      {
        file: 'apps/catalog/src/types/known/with-known-types.ts',
        text: 'await types.refresh();',
        by: '',
      },
    ],
    guardedBy: {
      file: 'apps/catalog/test/polled-types.test.ts',
      test: 'include types, searches and attributes declared by another replica at once',
    },
    workload:
      'Two replicas of the catalog. PUT a new type through one replica; within TYPE_REFRESH_MS (1 to 5 s), POST, PUT or search an entity of the type through the other: the expected response is 201 or 200, the defect responds with 404 type-not-found. An attribute, relation, search or ranking that is added to a type gets 400 or 404 search-not-found. No fault. A client that waits between declaration and write, or uses one replica only, does not see the defect.',
  },
];
