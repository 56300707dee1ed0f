import { createHash } from 'node:crypto';
import { Problem } from '@engawa/errors';
import { z } from 'zod';

/** The ETag of an item that carries a version: what If-Match compares (RFC 9110, section 8.8.3). */
export function entityTag({ version }: { version: number }): string {
  return `"${version}"`;
}

/** Bytes of the hash: two contents of one version have the same 128 bits by chance once in 2^64. */
const hashBytes = 16;

/** The ETag of all that an answer shows of an item: its version, and behind it a hash of the body (ADR 0039). */
export function representationTag(itemTag: string, body: string): string {
  const hash = createHash('sha256').update(body).digest().subarray(0, hashBytes);
  return `${itemTag.slice(0, -1)}.${hash.toString('base64url')}"`;
}

/** RFC 9110, section 8.8.3.3: in a content coding it is another representation, and its tag another one. */
export function codedTag(tag: string, coding: string): string {
  return `${tag.slice(0, -1)}-${coding}"`;
}

const tagPattern = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const eachTag = new RegExp(tagPattern, 'g');
const tagList = new RegExp(`^\\s*(\\*|${tagPattern}(?:\\s*,\\s*(?:${tagPattern})?)*)\\s*$`);
const coding = /-(?:gzip|deflate|br)"$/;

/** Whether the client has this representation already, in any content coding (RFC 9110, section 13.1.2: weak comparison). */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return (ifNoneMatch.match(eachTag) ?? []).some(
    (given) => given.replace(/^W\//, '').replace(coding, '"') === tag,
  );
}

/** Our tags, of items or of representations. */
const ownTag = /^"(\d{1,15})(?:\.[\w-]+)?"$/;
/** The version of no item: the first is 1. */
const noVersion = '"0"';
/** Each costs a conditional write. */
const maxVersions = 10;

/**
 * The If-Match header once for each version that it names, since it holds where any of them does. A weak tag never matches,
 * nor does one that is not ours (RFC 9110, section 13.1.1).
 * @throws Problem `invalid-request`
 */
export function eachIfMatch(header: string | undefined): (string | undefined)[] {
  if (header === undefined || !tagList.test(header)) return [header]; // the schema refuses what is no list
  const text = header.trim();
  if (text === '*') return [text];
  const versions = (text.match(eachTag) ?? []).flatMap((tag) => ownTag.exec(tag)?.[1] ?? []);
  const different = [...new Set(versions.map((version) => `"${Number(version)}"`))];
  if (different.length > maxVersions) {
    throw contradiction('if-match', `must name at most ${maxVersions} versions`);
  }
  return different.length === 0 ? [noVersion] : different;
}

const oneTag = z
  .string()
  .regex(/^(\*|"\d{1,15}")$/, 'must be * or ETags, such as "3"')
  .meta({ pattern: tagList.source });

function versionOf(tag: string): number | undefined {
  return tag === '*' ? undefined : Number(tag.slice(1, -1));
}

/** The version that an If-Match header asks for; `*` asks for none in particular. */
export const ifMatch = oneTag
  .transform(versionOf)
  .optional()
  .describe(
    'The ETag as it was read, or several: where the item has another version by now, nothing is changed.',
  );

/** The headers of a PUT, which may make what is not there yet. */
export const putHeaders = z.object({
  'if-match': oneTag
    .optional()
    .describe(
      'The ETag as it was read, or several, or *: nothing is made, and nothing that has another version changed.',
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
  throw contradiction(
    'if-none-match',
    'must not come with if-match: no item is there and not there',
  );
}

function contradiction(name: string, message: string): Problem {
  const faults = [{ path: `header.${name}`, message }];
  return new Problem('invalid-request', `header.${name} ${message}.`, { faults });
}
