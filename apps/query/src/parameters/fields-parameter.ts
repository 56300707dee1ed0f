import { z } from 'zod';

const maxFields = 100;

/** One name and its separator: quoted, with quotes doubled (RFC 4180, section 2), or up to the next comma. */
const listed = /(?:"((?:[^"]|"")*)"|([^",][^,]*))(,|$)/y;
/** The same without groups, for the OpenAPI document. */
const name = '(?:"(?:[^"]|"")*"|[^",][^,]*)';

export const fieldNames =
  'names of fields, separated by commas; a name with a comma is quoted, as in CSV';

/** Names of fields in a query string: sorted and without duplicates, so that equal requests are equal text. */
export const fieldsParameter = z
  .string()
  .meta({ pattern: `^${name}(?:,${name})*$` })
  .transform((text, context) => {
    const names = namesIn(text);
    if (names !== undefined) return [...new Set(names)].sort();
    context.addIssue(`must be ${fieldNames}`);
    return z.NEVER;
  })
  .refine((names) => names.length <= maxFields, `must be at most ${maxFields} names`);

/** Undefined where the text is not such a list. */
function namesIn(text: string): string[] | undefined {
  const names: string[] = [];
  for (let from = 0; ;) {
    listed.lastIndex = from;
    const match = listed.exec(text);
    if (match === null) return undefined;
    const [whole, quoted, plain = '', separator] = match;
    names.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (separator === '') return names;
    from += whole.length;
  }
}
