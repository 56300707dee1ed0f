import { z } from 'zod';

const mostFields = 100;

/** One name and what is behind it: in quotes, in which a quote is doubled (RFC 4180, section 2), or up to the next comma. */
const listed = /(?:"((?:[^"]|"")*)"|([^",][^,]*))(,|$)/y;
/** The same for the OpenAPI document, without the groups. */
const name = '(?:"(?:[^"]|"")*"|[^",][^,]*)';

export const fieldNames =
  'names of fields, separated by commas; one with a comma in quotes, as in CSV';

/** Names of fields in a query string; sorted, each once, so that equal questions look equal. */
export const fieldsParameter = z
  .string()
  .meta({ pattern: `^${name}(?:,${name})*$` })
  .transform((text, context) => {
    const names = namesIn(text);
    if (names !== undefined) return [...new Set(names)].sort();
    context.addIssue(`must be ${fieldNames}`);
    return z.NEVER;
  })
  .refine((names) => names.length <= mostFields, `must be at most ${mostFields} names`);

/** Undefined where the text is no such list. */
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
