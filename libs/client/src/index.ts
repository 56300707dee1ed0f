export { createClient } from './create-client.ts';
export type { Client, ClientOptions } from './create-client.ts';
export { declareType } from './entities/declare-type.ts';
export type { TypeDeclaration } from './entities/declare-type.ts';
export { EntityClient } from './entities/entity-client.ts';
export type { CreateAllOptions, Creation, NewEntityOf } from './entities/create-all.ts';
export type {
  Conditions,
  EntityChange,
  EntityContent,
  EntityOf,
  FieldOf,
  PartOf,
  Tagged,
} from './entities/entity-types.ts';
export type { IncludeOf, WithIncluded } from './entities/include-types.ts';
export { ItemList } from './entities/item-list.ts';
export type { PageRequest, PageOf } from './entities/item-list.ts';
export type { RankedOf, RelatedOf } from './entities/list-types.ts';
export type { FoundOf } from './entities/search-types.ts';
export type {
  FilterCondition,
  TextHitOf,
  TextPage,
  TextSearch,
} from './entities/text-search-types.ts';
export { EntityOperations } from './entities/transaction.ts';
export type { EntityOperation, ResultsOf } from './entities/transaction.ts';
export type { Json } from './entities/value-types.ts';
export type * as catalog from './generated/catalog.ts';
export type * as ingestion from './generated/ingestion.ts';
export type * as query from './generated/query.ts';
export type * as registry from './generated/registry.ts';
export { HttpClient } from './http/http-client.ts';
export type { ServiceResponse, CallOptions, HttpClientOptions } from './http/http-client.ts';
export { ProblemError } from './http/problem-error.ts';
export type { FieldError } from './http/problem-error.ts';
export type { RetryPolicy } from './http/retry.ts';
export { itemsOf } from './methods.ts';
