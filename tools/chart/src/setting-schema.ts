import { z } from 'zod';

/** A part of values.schema.json. */
export type Schema = Record<string, unknown>;

interface Property {
  type?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
}

/**
 * What the chart lets through for each setting of a service: what the service itself takes, as far
 * as a type, a range or a choice says it; a number also as text, and the empty text, which stands
 * for the service's default. The rest the service checks as it starts.
 */
export function settingSchemas(settings: z.ZodObject): Record<string, Schema> {
  const { properties } = z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' });
  return Object.fromEntries(
    Object.entries(properties as Record<string, Property>).map(([name, property]) => [
      name,
      settingSchema(property),
    ]),
  );
}

function settingSchema(property: Property): Schema {
  if (property.enum !== undefined) {
    // Helm's YAML reads them as true and false, unless they are quoted; `engawa.text` of the chart turns them back.
    const unquoted = property.enum.includes('on') ? [true, false] : [];
    return { enum: ['', ...property.enum, ...unquoted] };
  }
  // An input that is converted may be anything; only its range tells that a number is meant.
  const { minimum, maximum } = property;
  const isNumber = property.type === 'integer' || property.type === 'number';
  if (!isNumber) return { type: ['string', 'integer', 'number', 'boolean'] };
  return {
    type: ['integer', 'string'],
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
    pattern: '^[0-9]*$',
  };
}
