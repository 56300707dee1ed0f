import { format } from 'prettier';
import { operationSource } from './operation-source.ts';
import { comment, typeOf } from './schema-type.ts';
import { sharedTypes } from './shared-types.ts';
import type { ContractOperation, TypeSource } from './operation-source.ts';
import type { Schema } from './schema-type.ts';

export interface Contract {
  paths: Record<string, Record<string, ContractOperation>>;
  components: { schemas: Record<string, Schema> };
}

const head =
  '// Written by `npm run reference` from the OpenAPI documents of the services: change their routes, not this.\n';

/**
 * The TypeScript of the services' types and operations by file name, as prettier has it. A type of several services is
 * declared once, in `shared-types.ts`, and exported by the files of these services.
 * @param contracts by service
 */
export async function clientSources(
  contracts: ReadonlyMap<string, Contract>,
): Promise<Map<string, string>> {
  const parts = [...contracts].map(([service, contract]) => ({ service, ...partsOf(contract) }));
  const shared = sharedTypes(parts.flatMap(({ types }) => types));
  const sources = new Map([['shared-types.ts', [...shared.values()]]]);
  for (const { service, types, entries } of parts) {
    const own = types.filter(({ name }) => !shared.has(name));
    const sharedNames = types.map(({ name }) => name).filter((name) => shared.has(name));
    sources.set(`${service}.ts`, [
      `import { operation } from '../http/operation.ts';
      import type { ${sharedNames.join()} } from './shared-types.ts';`,
      `export type { ${sharedNames.join()} };`,
      ...own.map(({ source }) => source),
      `export const ${service}Operations = {\n${entries.join('\n')}\n};`,
    ]);
  }
  const style = { printWidth: 100, singleQuote: true, trailingComma: 'all' } as const;
  const files = [...sources].map(async ([name, statements]) => {
    const source = head + statements.join('\n\n');
    return [name, await format(source, { parser: 'typescript', ...style })] as const;
  });
  return new Map(await Promise.all(files));
}

function partsOf({ components, paths }: Contract): { types: TypeSource[]; entries: string[] } {
  const schemas = Object.entries(components.schemas)
    .filter(([name]) => name !== 'Problem')
    .map(([name, schema]) => {
      const source = `${comment(schema.description)}export type ${name} = ${typeOf(schema)};`;
      return { name, source };
    });
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith('/v1/')
      ? Object.entries(methods).map(([method, operation]) =>
          operationSource(method, path, operation),
        )
      : [],
  );
  return {
    types: [...schemas, ...operations.flatMap(({ types }) => types)],
    entries: operations.flatMap(({ entry }) => entry ?? []),
  };
}
