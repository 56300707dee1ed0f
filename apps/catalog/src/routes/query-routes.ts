import { getRank } from './rankings/get-rank.ts';
import { getRanking } from './rankings/get-ranking.ts';
import { getRelation } from './related/get-relation.ts';
import { listAllRelated } from './related/list-all-related.ts';
import { listEntities } from './entities/list-entities.ts';
import { listRelated } from './related/list-related.ts';
import { searchEntities } from './searches/search-entities.ts';
import type { Route } from '@engawa/http';
import type { CatalogParts } from '../catalog-parts.ts';

export function queryRoutes(parts: CatalogParts): Route[] {
  return [
    listEntities(parts),
    listRelated(parts),
    listAllRelated(parts),
    getRelation(parts),
    searchEntities(parts),
    getRanking(parts),
    getRank(parts),
  ];
}
