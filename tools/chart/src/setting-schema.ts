import { z } from 'zod';

/** A schema in values.schema.json. */
export type Schema = Record<string, unknown>;

interface Property {
  type?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
}

/**
 * The values that the chart accepts for each setting of a service: the values that the service accepts,
 * as far as a type, a range or a choice expresses it. Numbers may be strings, and the empty string
 * means the service's default. The service checks the rest at its start.
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
    // Helm's YAML reads them as booleans unless they are quoted; the chart's `engawa.text` converts
    // them back.
    const unquoted = property.enum.includes('on') ? [true, false] : [];
    return { enum: ['', ...property.enum, ...unquoted] };
  }
  // A converted input accepts any type; only its range shows that it is a number.
  const { minimum, maximum } = property;
  const isNumber = property.type === 'integer' || property.type === 'number';
  if (!isNumber) return { type: ['string', 'integer', 'number', 'boolean'] };
  const isWhole = property.type === 'integer';
  return {
    type: [isWhole ? 'integer' : 'number', 'string'],
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
    pattern: isWhole ? '^[0-9]*$' : '^([0-9]+(\\.[0-9]+)?)?$',
  };
}
