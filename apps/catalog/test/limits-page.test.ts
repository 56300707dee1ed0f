import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entityId } from '@engawa/model';
import { maxTransactionBytes, maxTransactionWrites } from '@engawa/table';
import { maxDeferredBytes } from '../src/bulk/deferred-entries.ts';
import { maxRelations as maxRelationsOfEntity } from '../src/entities/content/check-content.ts';
import { maxLinkBytes } from '../src/entities/content/check-relation.ts';
import { maxConditions } from '../src/entities/content/conditions.ts';
import { maxSetRows } from '../src/entities/items/entity-items.ts';
import { maxUniqueBytes } from '../src/entities/items/unique-values.ts';
import { maxTextUnits } from '../src/full-text/indexed-words.ts';
import { maxFacetValues } from '../src/full-text/text-index.ts';
import { maxBulkBytes } from '../src/routes/entities/create-entities.ts';
import { maxShownRelations } from '../src/routes/entities/get-entity.ts';
import { maxIds } from '../src/routes/entities/list-entities.ts';
import * as texts from '../src/routes/full-text/search-texts-schemas.ts';
import { maxOperations } from '../src/transactions/transaction-operation.ts';
import * as types from '../src/types/check/type-schemas.ts';
import { maxDepth, maxNameBytes } from '../src/values/check-value.ts';
import { maxParts, textBytes } from '../src/values/encode-part.ts';

/** The length of the longest accepted id. */
function longestId(): number {
  let length = 1;
  while (entityId.safeParse('a'.repeat(length + 1)).success) length += 1;
  return length;
}

const limits: readonly (readonly [string, number])[] = [
  ['characters of an id, and of any name', longestId()],
  ['attributes of a type', types.maxAttributes],
  ['relations of a type', types.maxRelations],
  ['attributes of a relation', types.maxLinkAttributes],
  ['searches and rankings of a type, together', types.maxSearches],
  ['parts of a search', maxParts],
  ['attributes in `fullText`', types.maxFullText],
  ['`filters` of a type', types.maxFilters],
  ['unique attributes of a type', types.maxUnique],
  [
    'bytes of a text in a search by one text; several texts share them',
    textBytes([{ attribute: 'a', as: 'text' }]),
  ],
  ['bytes of a unique value', maxUniqueBytes],
  ['bytes of a member of a set, and of a name in a map', maxNameBytes],
  ['members of the sets of an entity in all searches', maxSetRows],
  ['lists and maps inside each other', maxDepth],
  ['bytes of the attributes of a relation to one entity', maxLinkBytes],
  ['relations of an entity', maxRelationsOfEntity],
  ['related entities in a response with the entity', maxShownRelations],
  ['ids in a request of entities by id', maxIds],
  ['conditions of a request', maxConditions],
  ['operations of a transaction', maxOperations],
  ['items that a transaction writes, with search rows and relations', maxTransactionWrites],
  ['megabytes that a write has with its search rows', maxTransactionBytes / 2 ** 20],
  ['UTF-16 units of an entity in full text', maxTextUnits],
  ['`filter`s of a full-text request', texts.maxFilters],
  ['`facet`s of a full-text request', texts.maxFacets],
  ['values of a facet', maxFacetValues],
  ['bytes of a bulk request', maxBulkBytes],
  ['bytes of bulk lines that wait for later ones', maxDeferredBytes],
];

it('has a table of limits in docs/catalog.md', () => {
  const page = readFileSync(join(__dirname, '../../../docs/catalog.md'), 'utf8');
  const section = /^## Limits\n(.*?)^## /ms.exec(page)?.[1] ?? '';
  const rows = [...section.matchAll(/^\| (.+?) +\| ([\d,]+) +\|$/gm)].map(([, name, value]) => [
    name,
    Number(value?.replaceAll(',', '')),
  ]);
  expect(rows).toEqual(limits);
});
