import { z } from 'zod';

export type JsonObject = Record<string, unknown>;

/** Most schemas are constants, and a conversion takes a millisecond: services of one process share it. */
const conversions = {
  input: new WeakMap<z.ZodType, JsonObject>(),
  output: new WeakMap<z.ZodType, JsonObject>(),
};

/** The JSON schemas of a document. Most operations have the same problems and entities: each is converted once. */
export class ContractSchemas {
  /** The components of the document, by name. */
  readonly components: Record<string, JsonObject> = {};
  readonly #used = {
    input: new Map<z.ZodType, JsonObject>(),
    output: new Map<z.ZodType, JsonObject>(),
  };

  /** The JSON schema of a zod schema; named schemas in it become components of the document. */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const used = this.#used[io].get(schema) ?? this.#use(schema, io);
    this.#used[io].set(schema, used);
    return used;
  }

  #use(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const { $defs = {}, id, ...own } = conversionOf(schema, io);
    for (const [name, definition] of Object.entries($defs as Record<string, JsonObject>)) {
      this.#define(name, definition);
    }
    if (typeof id !== 'string') return own;
    this.#define(id, own);
    return { $ref: `#/components/schemas/${id}` };
  }

  #define(name: string, schema: JsonObject): void {
    const known = this.components[name];
    if (name.startsWith('__')) throw unnamed();
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas have the id ${name}`);
    }
    this.components[name] = schema;
  }
}

function conversionOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const known = conversions[io].get(schema);
  if (known !== undefined) return known;
  const conversion = relocate(z.toJSONSchema(schema, { io }));
  delete conversion['$schema'];
  conversions[io].set(schema, conversion);
  return conversion;
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
