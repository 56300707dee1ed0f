import { z } from 'zod';

/** The JSON schema of one setting, with the additional property `secret`. */
export interface Property {
  type?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  default?: unknown;
  description?: string;
  secret?: boolean;
}

/**
 * The properties of a settings object by name. JSON Schema flattens defaults, optionals and
 * transforms, so metadata is found in any order of declaration. The input schema is used, since
 * people write inputs.
 */
export function propertiesOf(schema: z.ZodObject): Partial<Record<string, Property>> {
  const jsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return jsonSchema.properties as Partial<Record<string, Property>>;
}

/** The expected value, as the end of a sentence that begins with "it must be". */
export function expectationOf(issue: z.core.$ZodRawIssue, property: Property = {}): string {
  if (issue.code === 'invalid_value') return oneOf(issue.values);
  if (issue.code === 'custom') return 'something else';
  switch (property.type) {
    case 'integer':
      return `a whole number${range(property)}`;
    case 'number':
      return `a number${range(property)}`;
    case 'string':
      return text(property, issue);
    default:
      return `of another form (${issue.code.replaceAll('_', ' ')})`;
  }
}

function oneOf(values: unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(', ')}`;
}

function text(property: Property, issue: z.core.$ZodRawIssue): string {
  if (property.format === 'uri') {
    const scheme = issue['note'] === 'Invalid protocol' ? String(issue.pattern) : undefined;
    return scheme === undefined ? 'a URL' : `a URL with a scheme that matches ${scheme}`;
  }
  if (property.pattern !== undefined) return `text that matches ${property.pattern}`;
  const { minLength, maxLength } = property;
  if (minLength !== undefined && maxLength !== undefined) {
    return `text of ${minLength} to ${maxLength} characters`;
  }
  if (minLength !== undefined) return `text of at least ${minLength} characters`;
  if (maxLength !== undefined) return `text of at most ${maxLength} characters`;
  return 'text';
}

function range(property: Property): string {
  const { exclusiveMinimum, exclusiveMaximum } = property;
  // zod adds the bounds of safe integers to every integer; they are omitted.
  const minimum = property.minimum === Number.MIN_SAFE_INTEGER ? undefined : property.minimum;
  const maximum = property.maximum === Number.MAX_SAFE_INTEGER ? undefined : property.maximum;
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  const bounds = [
    minimum === undefined ? [] : [`at least ${minimum}`],
    exclusiveMinimum === undefined ? [] : [`more than ${exclusiveMinimum}`],
    maximum === undefined ? [] : [`at most ${maximum}`],
    exclusiveMaximum === undefined ? [] : [`less than ${exclusiveMaximum}`],
  ].flat();
  return bounds.length === 0 ? '' : `, ${bounds.join(' and ')}`;
}
