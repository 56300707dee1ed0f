import type { OpenApiDocument } from '@engawa/http';
import type { Services } from '../services.ts';
import type { Schema } from './values-of-schema.ts';

export type ServiceName = keyof Services['urls'];
export type Contracts = Record<ServiceName, OpenApiDocument>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
  explode?: boolean;
}

/** The inputs of an operation of a contract. */
export interface ContractOperation {
  service: ServiceName;
  method: string;
  path: string;
  parameters: Parameter[];
  /** The schema of the body by media type; for NDJSON, that of a line. */
  bodies: [type: string, schema: Schema][];
  /** Media types of the response 200. */
  forms: string[];
}

export async function readContracts({ urls }: Services): Promise<Contracts> {
  const names = Object.keys(urls) as ServiceName[];
  const entries = names.map(async (name) => {
    const answer = await fetch(`${urls[name]}/openapi.json`);
    return [name, (await answer.json()) as OpenApiDocument] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Contracts;
}

export function operationsOf(contracts: Contracts): ContractOperation[] {
  return Object.entries(contracts).flatMap(([service, { paths }]) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters, requestBody, responses }]) => {
        const content = (requestBody?.['content'] ?? {}) as Record<string, { schema: Schema }>;
        return {
          service: service as ServiceName,
          method,
          path,
          parameters: parameters as unknown as Parameter[],
          bodies: Object.entries(content).map(([type, { schema }]): [string, Schema] => [
            type,
            schema,
          ]),
          forms: Object.keys(responses['200']?.content ?? {}),
        };
      }),
    ),
  );
}
