/** As much of JSON Schema as our OpenAPI documents have. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  prefixItems?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/**
 * The TypeScript type of a JSON Schema.
 * @throws Error for an unknown keyword: without it the type would be wrong
 */
export function typeOf(schema: Schema): string {
  const { $ref, type, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const alternatives = anyOf ?? oneOf;
  if (alternatives !== undefined) return union(alternatives.map(typeOf));
  if (allOf !== undefined) return allOf.map((one) => `(${typeOf(one)})`).join(' & ');
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one })));
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return arrayType(schema);
    case 'object':
      return objectType(schema);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`there is no TypeScript type for the JSON Schema type ${type}`);
  }
}

/** `true` and `false` as texts of a query are written by the client. */
export function parameterType(schema: Schema): string {
  return schema.enum?.toSorted().join() === 'false,true' ? 'boolean' : typeOf(schema);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].map((one) => `(${one})`).join(' | ');
}

function arrayType({ items, prefixItems }: Schema): string {
  if (prefixItems !== undefined) return `[${prefixItems.map(typeOf).join(', ')}]`;
  return items === undefined ? 'unknown[]' : `(${typeOf(items)})[]`;
}

function objectType({
  properties,
  required = [],
  additionalProperties,
  propertyNames,
}: Schema): string {
  if (properties === undefined) return recordType(additionalProperties, propertyNames);
  const members = Object.entries(properties).map(([name, schema]) =>
    member({ name, schema, isRequired: required.includes(name), type: typeOf(schema) }),
  );
  // What other names have is not narrower than what these have.
  const others = typeof additionalProperties === 'object' ? ['[name: string]: unknown;'] : [];
  return `{\n${[...members, ...others].join('\n')}\n}`;
}

function recordType(values: Schema['additionalProperties'], names: Schema | undefined): string {
  const value = typeof values === 'object' ? typeOf(values) : 'unknown';
  return names?.enum === undefined
    ? `Record<string, ${value}>`
    : `Partial<Record<${typeOf(names)}, ${value}>>`;
}

export interface Member {
  name: string;
  schema: { description?: string };
  isRequired: boolean;
  type: string;
}

/** A property of an interface, with its doc comment. */
export function member({ name, schema, isRequired, type }: Member): string {
  // A caller without a value may give undefined.
  const optional = isRequired ? `: ${type}` : `?: (${type}) | undefined`;
  return `${comment(schema.description)}${JSON.stringify(name)}${optional};`;
}

export function comment(text: string | undefined): string {
  if (text === undefined) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  return lines.length === 1
    ? `/** ${text.replaceAll('*/', '*\\/')} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
