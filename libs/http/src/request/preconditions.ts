import { Problem } from '@engawa/errors';
import { z } from 'zod';
import { eachTag, entityTag, tagPattern } from '../response/entity-tag.ts';
import type { Revision } from '../response/entity-tag.ts';

const tagList = new RegExp(`^\\s*(\\*|${tagPattern}(?:\\s*,\\s*(?:${tagPattern})?)*)\\s*$`);
/** Version and creation. */
const revision = String.raw`(\d{1,15})(?:-([0-9A-Z]{9,26}))?`;
const revisionTag = new RegExp(`^"${revision}"$`);
/** Our tags, of items or of representations, in any content coding. */
const ownTag = new RegExp(`^"${revision}(?:\\.[\\w-]+|-(?:gzip|deflate|br))?"$`);
/** The version of no item: the first is 1. */
const noVersion = '"0"';
/** Each costs a conditional write. */
const maxVersions = 10;

/**
 * The If-Match header once for each state that it names, since it holds where any of them does. A weak tag never matches,
 * nor does one that is not ours (RFC 9110, section 13.1.1).
 * @throws Problem `invalid-request`
 */
export function eachIfMatch(header: string | undefined): (string | undefined)[] {
  if (header === undefined || !tagList.test(header)) return [header]; // the schema refuses what is no list
  const text = header.trim();
  if (text === '*') return [text];
  const revisions = (text.match(eachTag) ?? []).flatMap((tag) => parse(ownTag, tag) ?? []);
  const different = [...new Set(revisions.map(entityTag))];
  if (different.length > maxVersions) {
    throw contradiction('if-match', `must name at most ${maxVersions} versions`);
  }
  return different.length === 0 ? [noVersion] : different;
}

const oneTag = z
  .string()
  .regex(new RegExp(String.raw`^(\*|"${revision}")$`), 'must be * or ETags, such as "3"')
  .meta({ pattern: tagList.source });

function parse(pattern: RegExp, tag: string): Revision | undefined {
  const [, version, creation] = pattern.exec(tag) ?? [];
  return version === undefined ? undefined : { version: Number(version), creation };
}

function revisionOf(tag: string): Revision | undefined {
  return parse(revisionTag, tag);
}

/** Of an item that has versions alone; a tag with more is that of another item. */
function versionOf(tag: string): number | undefined {
  const found = revisionOf(tag);
  return found?.creation === undefined ? found?.version : 0;
}

const ifMatchText =
  'The ETag as it was read, or several: where the item has another version by now, nothing is changed.';

/** The version that an If-Match header asks for; `*` asks for none in particular. */
export const ifMatch = oneTag.transform(versionOf).optional().describe(ifMatchText);

/** The same of an item whose tag names its creation, too. */
export const ifMatchRevision = oneTag.transform(revisionOf).optional().describe(ifMatchText);

/** The ETag of one item as it was read, where a body names several items. */
export const revisionOfBody = z
  .string()
  .regex(ownTag, 'must be an ETag as it was read, such as "3"')
  .transform((tag) => parse(ownTag, tag))
  .optional();

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
export type ExpectedState<State = number> = 'absent' | 'present' | State | undefined;

/** @throws Problem `invalid-request` where the headers contradict each other */
export function expectedBy(headers: z.output<typeof putHeaders>): ExpectedState {
  return expectedAs(versionOf, headers);
}

/** The same of an item whose tag names its creation, too. @throws Problem `invalid-request` */
export function expectedRevision(headers: z.output<typeof putHeaders>): ExpectedState<Revision> {
  return expectedAs(revisionOf, headers);
}

function expectedAs<State>(
  stateOf: (tag: string) => State | undefined,
  headers: z.output<typeof putHeaders>,
): ExpectedState<State> {
  const tag = headers['if-match'];
  if (headers['if-none-match'] === undefined) {
    return tag === undefined ? undefined : (stateOf(tag) ?? 'present');
  }
  if (tag === undefined) return 'absent';
  throw contradiction(
    'if-none-match',
    'must not come with if-match: no item is there and not there',
  );
}

function contradiction(name: string, message: string): Problem {
  const fieldErrors = [{ path: `header.${name}`, message }];
  return new Problem('invalid-request', `header.${name} ${message}.`, { fieldErrors });
}
