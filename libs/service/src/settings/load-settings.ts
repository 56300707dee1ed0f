import { OperatorError } from '@engawa/errors';
import type { z } from 'zod';
import { expectationOf, propertiesOf } from './expectation.ts';
import type { Property } from './expectation.ts';
import { definedValues } from './defined-values.ts';

/**
 * Reads the settings that `schema` declares from the environment. An empty value counts as not set,
 * and variables that the schema does not declare are ignored.
 *
 * @throws OperatorError with all errors, one line per variable; secrets are not shown.
 */
export function loadSettings<Settings extends z.ZodObject>(
  schema: Settings,
  environment: NodeJS.ProcessEnv,
): z.output<Settings> {
  const properties = propertiesOf(schema);
  const values = definedValues(Object.keys(schema.shape), environment);
  const result = schema.safeParse(values, {
    error: (issue) => {
      const [name, ...inside] = issue.path ?? [];
      return `it must be ${expectationOf(issue, inside.length === 0 ? properties[String(name)] : undefined)}`;
    },
  });
  if (result.success) return result.data;

  const lines = new Map<string, string>();
  for (const issue of result.error.issues) {
    const name = String(issue.path[0] ?? '');
    if (lines.has(name)) continue;
    const subject = name === '' ? '' : `${nameWithValue(name, values[name], properties[name])}; `;
    lines.set(name, subject + issue.message);
  }
  throw new OperatorError([...lines.values()].join('\n'));
}

function nameWithValue(name: string, value: string | undefined, property?: Property): string {
  if (value === undefined) return `${name} is not set`;
  if (property?.secret === true) return `${name} is not valid (it is a secret and not shown)`;
  return `${name} is ${quoted(value)}`;
}

/** The value as a JSON string, which escapes control characters; without URL credentials; at most 120 characters. */
function quoted(value: string): string {
  const withoutCredentials = value
    .replace(/\/\/.*@/s, '//[redacted]@')
    .replace(/(:\/\/[^?]*\?).+/s, '$1[redacted]');
  const short =
    withoutCredentials.length > 120 ? `${withoutCredentials.slice(0, 119)}…` : withoutCredentials;
  return JSON.stringify(short);
}
