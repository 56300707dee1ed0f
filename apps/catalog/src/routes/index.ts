import { bulkRoutes } from './entities/bulk-routes.ts';
import { entityRoutes } from './entities/entity-routes.ts';
import { fullTextRoutes } from './full-text/full-text-routes.ts';
import { queryRoutes } from './query-routes.ts';
import { typeRoutes } from './types/type-routes.ts';
import type { Route } from '@engawa/http';
import type { CatalogParts } from '../catalog-parts.ts';

/** All routes of the catalog, in the order in which they are matched. */
export function catalogRoutes(parts: CatalogParts): Route[] {
  return [
    ...typeRoutes(parts),
    ...entityRoutes(parts),
    ...bulkRoutes(parts),
    ...queryRoutes(parts),
    ...fullTextRoutes(parts),
  ];
}
