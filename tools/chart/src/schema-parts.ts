import type { Schema } from './setting-schema.ts';

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const texts: Schema = { type: 'object', additionalProperties: text };
export const anything: Schema = { type: 'object' };
export const objects: Schema = { type: 'array', items: anything };
export const words: Schema = { type: 'array', items: text };

/** The name of a Secret, or nothing (RFC 1123 subdomain). */
export const secret: Schema = { type: 'string', pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$' };
export const httpUrl: Schema = { type: 'string', pattern: '^(https?://[^@]+)?$' };

/** Nothing but these properties, so that a typing error is found. */
export function object(properties: Record<string, Schema>): Schema {
  return { type: 'object', additionalProperties: false, properties };
}

export function whole(minimum: number, maximum?: number): Schema {
  return { type: 'integer', minimum, ...(maximum !== undefined && { maximum }) };
}

/** Or null, which takes a value away. */
export function orNull(schema: Schema): Schema {
  return { ...schema, type: [schema['type'], 'null'].flat() };
}

export function defined(name: string): Schema {
  return { $ref: `#/definitions/${name}` };
}
