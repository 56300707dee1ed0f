import * as fc from 'fast-check';

export type Schema = Readonly<Record<string, unknown>>;

export interface SchemaContext {
  /** Named schemas of the contract. */
  schemas: Readonly<Record<string, Schema>>;
  /** Usual values by name of a property or parameter, so that requests address each other's items. */
  known: Readonly<Record<string, readonly unknown[]>>;
}

/** Maximum nesting of schemas; deeper lists are empty, and deeper optional properties absent. */
const deepest = 6;
const longestList = 4;
const longestText = 40;

/** Values that a JSON schema of a contract allows. */
export function valuesOf(
  schema: Schema | boolean | undefined,
  context: SchemaContext,
  depth = 0,
): fc.Arbitrary<unknown> {
  if (schema === undefined || typeof schema === 'boolean') return fc.jsonValue({ maxDepth: 2 });
  const { $ref, anyOf, oneOf, allOf } = schema;
  if (typeof $ref === 'string') return valuesOf(named($ref, context), context, depth + 1);
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if (Array.isArray(allOf)) return valuesOf(merged(schema, allOf as Schema[]), context, depth);
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) {
    return fc.oneof(...(choices as Schema[]).map((each) => valuesOf(each, context, depth + 1)));
  }
  const { type } = schema;
  if (Array.isArray(type)) {
    return fc.oneof(...(type as string[]).map((each) => ofType(each, schema, context, depth)));
  }
  return ofType(type, schema, context, depth);
}

function named(reference: string, { schemas }: SchemaContext): Schema {
  const schema = schemas[reference.replace('#/components/schemas/', '')];
  if (schema === undefined) throw new Error(`the contract has no ${reference}`);
  return schema;
}

function merged(schema: Schema, all: readonly Schema[]): Schema {
  return Object.assign({}, { ...schema, allOf: undefined }, ...all) as Schema;
}

function ofType(
  type: unknown,
  schema: Schema,
  context: SchemaContext,
  depth: number,
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return texts(schema);
    case 'integer':
      return fc.integer(bounds(schema));
    case 'number':
      return fc.oneof(fc.integer(bounds(schema)), fc.double({ ...bounds(schema), noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return lists(schema, context, depth);
    case 'object':
      return objects(schema, context, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Integers without a bound are drawn up to a million: larger ones are part of the hostile tests. */
function bounds(schema: Schema): { min: number; max: number } {
  const least = Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? -1_000_000);
  const most = Number(schema['maximum'] ?? schema['exclusiveMaximum'] ?? 1_000_000);
  const min = Math.max(-2_147_483_648, Math.ceil(least));
  return { min, max: Math.max(min, Math.min(2_147_483_647, Math.floor(most))) };
}

function texts({ pattern, format, minLength = 0, maxLength = longestText }: Schema) {
  const [least, most] = [Number(minLength), Number(maxLength)];
  if (format === 'date-time') {
    return fc
      .date({ min: new Date(0), max: new Date('2040-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  const text =
    typeof pattern === 'string'
      ? matching(pattern, least)
      : fc.string({
          minLength: least,
          maxLength: Math.max(least, Math.min(most, longestText)),
          unit: 'grapheme',
        });
  return text.map((each) => each.slice(0, most).toWellFormed());
}

function matching(pattern: string, minLength: number): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'));
  } catch {
    return fc.string({ minLength }); // a lookahead, of which no values can be made
  }
}

function lists(schema: Schema, context: SchemaContext, depth: number): fc.Arbitrary<unknown> {
  const { items, prefixItems, minItems = 0, maxItems = longestList } = schema;
  if (Array.isArray(prefixItems)) {
    return fc.tuple(...(prefixItems as Schema[]).map((each) => valuesOf(each, context, depth + 1)));
  }
  const minLength = Number(minItems);
  const most = depth > deepest ? minLength : Math.min(Number(maxItems), longestList);
  return fc.array(valuesOf(items as Schema, context, depth + 1), {
    minLength,
    maxLength: Math.max(minLength, most),
  });
}

function objects(schema: Schema, context: SchemaContext, depth: number): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const needed = required as string[];
  const own = Object.entries(properties as Record<string, Schema>)
    .filter(([name]) => needed.includes(name) || depth <= deepest)
    .map(([name, each]) => [name, ofProperty(name, each, context, depth)] as const);
  const named = fc.record(Object.fromEntries(own), { requiredKeys: needed });
  if (typeof additionalProperties !== 'object' || depth > deepest) return named;
  const more = fc.dictionary(
    valuesOf((propertyNames ?? { type: 'string' }) as Schema, context, depth + 1).map(String),
    valuesOf(additionalProperties as Schema, context, depth + 1),
    { maxKeys: longestList },
  );
  return fc.tuple(more, named).map(([rest, known]) => ({ ...rest, ...known }));
}

/** Usually a known value of this name, otherwise one that the schema allows. */
export function ofProperty(
  name: string,
  schema: Schema,
  context: SchemaContext,
  depth = 0,
): fc.Arbitrary<unknown> {
  const allowed = valuesOf(schema, context, depth + 1);
  const known = Object.hasOwn(context.known, name) ? context.known[name] : undefined;
  if (known === undefined) return allowed;
  const usual = schema['type'] === 'array' ? fc.subarray([...known]) : fc.constantFrom(...known);
  return fc.oneof({ arbitrary: usual, weight: 5 }, { arbitrary: allowed, weight: 1 });
}
