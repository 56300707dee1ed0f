import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

const typeNames: Record<string, string> = {
  int: 'a whole number',
  number: 'a number',
  bigint: 'a whole number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
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

/** The unit of length of each type that has one. */
const units: Record<string, string> = { string: 'character', array: 'element', set: 'element' };

/**
 * The message of a validation error, to be read after the path of the value: "must be at least 1".
 * Zod's own messages name its types ("expected number, received NaN"). Undefined keeps the message
 * of the schema, or Zod's.
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
      return formatMessage(issue.format);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${list(issue.values)}`
        : `must be one of ${list(issue.values)}`;
    case 'invalid_union':
      return 'matches none of the accepted forms';
    case 'unrecognized_keys':
      return 'is unknown';
    case 'custom':
      return 'is not valid';
    default:
      return undefined;
  }
}

function formatMessage(format: string): string | undefined {
  if (format in formatNames) return `must be ${formatNames[format]}`;
  return format === 'regex' ? 'does not match the required pattern' : undefined;
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
