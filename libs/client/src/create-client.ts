import { EntityClient } from './entities/entity-client.ts';
import { writeTransaction } from './entities/transaction.ts';
import { catalogOperations } from './generated/catalog.ts';
import { ingestionOperations } from './generated/ingestion.ts';
import { queryOperations } from './generated/query.ts';
import { registryOperations } from './generated/registry.ts';
import { HttpClient } from './http/http-client.ts';
import { methodsOf } from './methods.ts';
import type { TypeDeclaration } from './entities/declare-type.ts';
import type { EntityOperation } from './entities/transaction.ts';
import type { CallOptions, HttpClientOptions } from './http/http-client.ts';

export interface ClientOptions extends HttpClientOptions {
  /** One base URL for all services, or a base URL per service. */
  url: string | { ingestion: string; registry: string; query: string; catalog: string };
}

export type Client = ReturnType<typeof createClient>;

/** The operations of the four services, and the entities of declared types. */
export function createClient({ url, ...options }: ClientOptions) {
  const urls =
    typeof url === 'string' ? { ingestion: url, registry: url, query: url, catalog: url } : url;
  const catalogHttp = new HttpClient(urls.catalog, options);
  const catalog = methodsOf(catalogHttp, catalogOperations);
  return {
    ingestion: methodsOf(new HttpClient(urls.ingestion, options), ingestionOperations),
    registry: methodsOf(new HttpClient(urls.registry, options), registryOperations),
    query: methodsOf(new HttpClient(urls.query, options), queryOperations),
    catalog,
    /** The entities of a declared type. */
    entities: <const Declaration extends TypeDeclaration>(declaration: Declaration) =>
      new EntityClient(catalog, declaration),
    /** Executes all operations atomically: `[songs.operation.put('1', …), artists.operation.check('2', …)]`. */
    transaction: <const Operations extends readonly EntityOperation<unknown>[]>(
      operations: Operations,
      options?: CallOptions,
    ) => writeTransaction(catalog, operations, options),
  };
}
