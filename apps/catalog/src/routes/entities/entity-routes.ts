import { changeRelation } from './change-relation.ts';
import { deleteEntityRoute } from './delete-entity.ts';
import { getEntityRoute } from './get-entity.ts';
import { getEntityByValue } from './get-entity-by-value.ts';
import { patchEntity } from './patch-entity.ts';
import { putEntity } from './put-entity.ts';
import { writeTransaction } from './write-transaction.ts';
import type { Route } from '@engawa/http';
import type { CatalogParts } from '../../catalog-parts.ts';

export function entityRoutes(parts: CatalogParts): Route[] {
  return [
    getEntityRoute(parts),
    getEntityByValue(parts),
    putEntity(parts),
    patchEntity(parts),
    changeRelation(parts),
    deleteEntityRoute(parts),
    writeTransaction(parts),
  ];
}
