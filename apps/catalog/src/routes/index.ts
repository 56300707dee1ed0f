import { bulkRoutes } from './bulk-routes.ts';
import { entityRoutes } from './entity-routes.ts';
import { fullTextRoutes } from './full-text-routes.ts';
import { questionRoutes } from './question-routes.ts';
import { typeRoutes } from './type-routes.ts';
import type { Route } from '@engawa/http';
import type { CatalogParts } from '../catalog-parts.ts';

/** All routes of the catalog, in the order in which they are matched. */
export function catalogRoutes(parts: CatalogParts): Route[] {
  return [
    ...typeRoutes(parts),
    ...entityRoutes(parts),
    ...bulkRoutes(parts),
    ...questionRoutes(parts),
    ...fullTextRoutes(parts),
  ];
}
