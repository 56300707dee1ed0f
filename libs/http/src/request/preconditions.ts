import { Problem } from '@engawa/errors';
import { z } from 'zod';
import { eachTag, entityTag, tagPattern } from '../response/entity-tag.ts';
import type { Revision } from '../response/entity-tag.ts';

const tagList = new RegExp(`^\\s*(\\*|${tagPattern}(?:\\s*,\\s*(?:${tagPattern})?)*)\\s*$`);
/** A revision in an ETag: the version, and the creation where the item has one. */
const revision = String.raw`(\d{1,15})(?:-([0-9A-Z]{9,26}))?`;
const revisionTag = new RegExp(`^"${revision}"$`);
/** ETags of this service, of items or of responses, in any content coding. */
const ownTag = new RegExp(`^"${revision}(?:\\.[\\w-]+|-(?:gzip|deflate|br))?"$`);
/** Matches no item: versions start at 1. */
const noVersion = '"0"';
/** Versions in one If-Match; each costs a conditional write. */
const maxVersions = 10;

/**
 * Splits an If-Match header into one header per revision: it is met where any of them matches. Weak
 * tags and tags of other origins never match and are dropped (RFC 9110, section 13.1.1).
 * @throws Problem `invalid-request` for too many revisions
 */
export function eachIfMatch(header: string | undefined): (string | undefined)[] {
  if (header === undefined || !tagList.test(header)) return [header]; // the schema rejects what is not a list of tags
  const text = header.trim();
  if (text === '*') return [text];
  const revisions = (text.match(eachTag) ?? []).flatMap((tag) => parse(ownTag, tag) ?? []);
  const distinct = [...new Set(revisions.map(entityTag))];
  if (distinct.length > maxVersions) {
    throw contradiction('if-match', `must name at most ${maxVersions} versions`);
  }
  return distinct.length === 0 ? [noVersion] : distinct;
}

/** An ETag of most items has the creation, too: only the version would match none of them. */
const exampleTag = '"3-01KB6Z0QH5T8M3W9X2C4V7N1RE"';

const oneTag = z
  .string()
  .regex(
    new RegExp(String.raw`^(\*|"${revision}")$`),
    `must be * or ETags as they were read, with their quotes, such as ${exampleTag}`,
  )
  .meta({ pattern: tagList.source });

function parse(pattern: RegExp, tag: string): Revision | undefined {
  const [, version, creation] = pattern.exec(tag) ?? [];
  return version === undefined ? undefined : { version: Number(version), creation };
}

function revisionOf(tag: string): Revision | undefined {
  return parse(revisionTag, tag);
}

/** The version in a tag of an item without a creation; 0 for a tag with one, which belongs to another item. */
function versionOf(tag: string): number | undefined {
  const found = revisionOf(tag);
  return found?.creation === undefined ? found?.version : 0;
}

const ifMatchText =
  'The ETag of the item as it was read, or several: nothing is changed where the item has another version by now.';

/** The version in an If-Match header; undefined for `*`, which matches any version. */
export const ifMatch = oneTag.transform(versionOf).optional().describe(ifMatchText);

/** The revision in an If-Match header, for an item whose tag contains its creation. */
export const ifMatchRevision = oneTag.transform(revisionOf).optional().describe(ifMatchText);

/** The same, and `present` for `*`: the item has to exist. */
export const ifMatchPresent = oneTag
  .transform((tag) => revisionOf(tag) ?? ('present' as const))
  .optional()
  .describe(ifMatchText);

/** The ETag of one of several items in a request body. */
export const revisionOfBody = z
  .string()
  .regex(ownTag, `must be an ETag as it was read, with its quotes, such as ${exampleTag}`)
  .transform((tag) => parse(ownTag, tag))
  .optional();

/** The headers of a PUT, which creates the item where it does not exist. */
export const putHeaders = z.object({
  'if-match': oneTag
    .optional()
    .describe(
      'The ETag of the item as it was read, or several, or *: the item is not created, and not changed where it has another version.',
    ),
  'if-none-match': z
    .string()
    .regex(/^\*$/, 'must be *')
    .optional()
    .describe('`*`: the item is created, and an existing one not changed.'),
});

/** The precondition of a PUT: the item is absent, is present, or has this version; undefined: none. */
export type ExpectedState<State = number> = 'absent' | 'present' | State | undefined;

/** The precondition in the headers of a PUT. @throws Problem `invalid-request` where they contradict each other */
export function expectedBy(headers: z.output<typeof putHeaders>): ExpectedState {
  return expectedAs(versionOf, headers);
}

/** The precondition for an item whose tag contains its creation. @throws Problem `invalid-request` */
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
    'must not be combined with if-match: an item cannot be both present and absent',
  );
}

function contradiction(name: string, message: string): Problem {
  const fieldErrors = [{ path: `header.${name}`, message }];
  return new Problem('invalid-request', `header.${name} ${message}.`, { fieldErrors });
}
