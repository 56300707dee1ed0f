import { z } from 'zod';

export type JsonObject = Record<string, unknown>;

/** The JSON schema of a zod schema; named schemas in it become components of the document. */
export function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  schemas: Record<string, JsonObject>,
): JsonObject {
  const { $defs = {}, id, ...own } = relocate(z.toJSONSchema(schema, { io }));
  delete own['$schema'];
  for (const [name, definition] of Object.entries($defs as Record<string, JsonObject>)) {
    define(name, definition, schemas);
  }
  if (typeof id !== 'string') return own;
  define(id, own, schemas);
  return { $ref: `#/components/schemas/${id}` };
}

function define(name: string, schema: JsonObject, schemas: Record<string, JsonObject>): void {
  const known = schemas[name];
  if (name.startsWith('__')) throw unnamed();
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two different schemas have the id ${name}`);
  }
  schemas[name] = schema;
}

/** zod's references point to `$defs` of the schema; they are changed to the components of the document. */
function relocate(schema: object): JsonObject {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string') return value;
    if (value === '#') throw unnamed();
    return value.replace('#/$defs/', '#/components/schemas/');
  }) as JsonObject;
}

function unnamed(): Error {
  return new Error('a recursive schema needs an id in its meta');
}
