import { createEntities } from './create-entities.ts';
import type { Route } from '@engawa/http';
import type { CatalogParts } from '../../catalog-parts.ts';

export function bulkRoutes(parts: CatalogParts): Route[] {
  return [createEntities(parts)];
}
