import { Problem } from '@engawa/errors';
import { z } from 'zod';

/** The ETag of an item that carries a version (RFC 9110, section 8.8.3). */
export function entityTag({ version }: { version: number }): string {
  return `"${version}"`;
}

/** Of the header's forms only what this service gives out is taken: a single strong tag. */
const oneTag = z
  .string()
  .regex(/^(\*|"\d{1,15}")$/, 'must be one ETag as it was given, such as "3", or *');

function versionOf(tag: string): number | undefined {
  return tag === '*' ? undefined : Number(tag.slice(1, -1));
}

/** The version that an If-Match header asks for; `*` asks for none in particular (RFC 9110, section 13.1.1). */
export const ifMatch = oneTag
  .transform(versionOf)
  .optional()
  .describe('The ETag as it was read: of what has another by now, nothing is changed.');

/** The headers of a PUT, which may make what is not there yet. */
export const putHeaders = z.object({
  'if-match': oneTag
    .optional()
    .describe(
      'The ETag as it was read, or *: nothing is made, and nothing that has another changed.',
    ),
  'if-none-match': z
    .string()
    .regex(/^\*$/, 'must be *')
    .optional()
    .describe('`*`: only makes what is not there yet.'),
});

/** What a PUT expects to find: nothing, something, this version of it; undefined: whatever there is. */
export type Expected = 'absent' | 'present' | number | undefined;

/** @throws Problem `invalid-request` where the headers contradict each other */
export function expectedBy(headers: z.output<typeof putHeaders>): Expected {
  const tag = headers['if-match'];
  if (headers['if-none-match'] === undefined) {
    return tag === undefined ? undefined : (versionOf(tag) ?? 'present');
  }
  if (tag === undefined) return 'absent';
  const message = 'must not come with if-match: no item is there and not there';
  const faults = [{ path: 'header.if-none-match', message }];
  throw new Problem('invalid-request', `header.if-none-match ${message}.`, { faults });
}
