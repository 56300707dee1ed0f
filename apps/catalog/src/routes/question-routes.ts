import { getRank } from './get-rank.ts';
import { getRanking } from './get-ranking.ts';
import { listAllRelated } from './list-all-related.ts';
import { listEntities } from './list-entities.ts';
import { listRelated } from './list-related.ts';
import { searchEntities } from './search-entities.ts';
import type { Route } from '@engawa/http';
import type { CatalogParts } from '../catalog-parts.ts';

export function questionRoutes(parts: CatalogParts): Route[] {
  return [
    listEntities(parts),
    listRelated(parts),
    listAllRelated(parts),
    searchEntities(parts),
    getRanking(parts),
    getRank(parts),
  ];
}
