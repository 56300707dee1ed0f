import { rebuildTexts } from './rebuild-texts.ts';
import { searchTexts } from './search-texts.ts';
import type { Route } from '@engawa/http';
import type { CatalogParts } from '../../catalog-parts.ts';

export function fullTextRoutes(parts: CatalogParts): Route[] {
  return [searchTexts(parts), rebuildTexts(parts)];
}
