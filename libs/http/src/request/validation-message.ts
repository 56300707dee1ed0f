import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

const typeNames: Record<string, string> = {
  int: 'a whole number',
  number: 'a number',
  bigint: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date and time',
  null: 'null',
};

const formatNames: Record<string, string> = {
  datetime: 'a date and time in ISO 8601, such as 2026-11-20T09:00:00Z',
  date: 'a date in ISO 8601, such as 2026-11-20',
  time: 'a time in ISO 8601, such as 09:00:00',
  duration: 'a duration in ISO 8601, such as PT1H',
  email: 'an e-mail address',
  url: 'a URL',
  uuid: 'a UUID',
};

/** What is counted in each kind of value that has a length. */
const units: Record<string, string> = { string: 'character', array: 'element', set: 'element' };

/**
 * What is wrong with a value, to be read behind its name: "must be at least 1". Zod's own texts speak
 * of its types ("expected number, received NaN"). Undefined where the schema's own message, or Zod's,
 * is the best there is.
 */
export function validationMessage(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return bound(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue);
    case 'too_big':
      return bound(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue);
    case 'invalid_format':
      return formatSentence(issue.format);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${list(issue.values)}`
        : `must be one of ${list(issue.values)}`;
    case 'invalid_union':
      return 'has none of the forms that are taken here';
    case 'unrecognized_keys':
      return 'is not known here';
    case 'custom':
      return 'is not valid';
    default:
      return undefined;
  }
}

function formatSentence(format: string): string | undefined {
  if (format in formatNames) return `must be ${formatNames[format]}`;
  return format === 'regex' ? 'does not have the right form' : undefined;
}

function bound(words: string, limit: number | bigint, { origin }: { origin: string }): string {
  const unit = units[origin];
  if (origin === 'date') return `must be ${words} ${new Date(Number(limit)).toISOString()}`;
  if (unit === undefined) return `must be ${words} ${String(limit)}`;
  return `must have ${words} ${String(limit)} ${unit}${Number(limit) === 1 ? '' : 's'}`;
}

function list(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === 'string' ? value : String(value))).join(', ');
}
