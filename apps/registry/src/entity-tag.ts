import { z } from 'zod';

/** The ETag of an item that carries a version (RFC 9110, section 8.8.3). */
export function entityTag({ version }: { version: number }): string {
  return `"${version}"`;
}

/**
 * The version that an If-Match header asks for; `*` asks for none in particular (RFC 9110, section 13.1.1). Of the
 * header's forms only what this service gives out is taken: a single strong tag.
 */
export const ifMatch = z
  .string()
  .regex(/^(\*|"\d{1,15}")$/, 'must be one ETag as it was given, such as "3", or *')
  .transform((tag) => (tag === '*' ? undefined : Number(tag.slice(1, -1))))
  .optional()
  .describe('The ETag of the device as it was read.');
