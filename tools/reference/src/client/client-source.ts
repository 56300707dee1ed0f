import { format } from 'prettier';
import { operationSource } from './operation-source.ts';
import { comment, typeOf } from './schema-type.ts';
import type { ContractOperation } from './operation-source.ts';
import type { Schema } from './schema-type.ts';

export interface Contract {
  paths: Record<string, Record<string, ContractOperation>>;
  components: { schemas: Record<string, Schema> };
}

const head =
  '// Written by `npm run reference` from the OpenAPI document of the service: change its routes, not this.\n';

/** The TypeScript of a service's types and operations, as prettier has it. */
export async function clientSource(service: string, contract: Contract): Promise<string> {
  const schemas = Object.entries(contract.components.schemas).filter(
    ([name]) => name !== 'Problem',
  );
  const types = schemas.map(([name, schema]) => {
    return `${comment(schema.description)}export type ${name} = ${typeOf(schema)};`;
  });
  const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
    path.startsWith('/v1/')
      ? Object.entries(methods).map(([method, operation]) =>
          operationSource(method, path, operation),
        )
      : [],
  );
  const entries = operations.flatMap(({ entry }) => entry ?? []);
  const source = [
    head + "import { operation } from '../http/operation.ts';",
    ...types,
    ...operations.map((one) => one.types),
    `export const ${service}Operations = {\n${entries.join('\n')}\n};`,
  ].join('\n\n');
  const style = { printWidth: 100, singleQuote: true, trailingComma: 'all' } as const;
  return format(source, { parser: 'typescript', ...style });
}
