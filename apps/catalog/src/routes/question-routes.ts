import type { Route } from '@engawa/http';
import type { CatalogParts } from '../catalog-parts.ts';

export function questionRoutes(_parts: CatalogParts): Route[] {
  return [];
}
