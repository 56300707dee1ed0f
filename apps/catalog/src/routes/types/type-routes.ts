import { deleteType } from './delete-type.ts';
import { getType } from './get-type.ts';
import { listTypes } from './list-types.ts';
import { putType } from './put-type.ts';
import type { Route } from '@engawa/http';
import type { CatalogParts } from '../../catalog-parts.ts';

export function typeRoutes(parts: CatalogParts): Route[] {
  return [listTypes(parts), putType(parts), getType(parts), deleteType(parts)];
}
