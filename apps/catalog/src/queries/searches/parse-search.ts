import { KeyError } from '@engawa/keys';
import { invalidQuery } from '../../values/invalid-request.ts';
import { indexSearch } from './index-search.ts';
import { isTextPart, parsePartValue } from '../../values/parse-part-value.ts';
import type { FieldError } from '@engawa/errors';
import type { SearchDefinition, SearchPart } from '@engawa/model';
import type { PartTimes } from '../../values/parse-part-value.ts';
import type { Condition, IndexSearch } from './index-search.ts';

export interface SearchParameters {
  eq?: readonly string[] | undefined;
  prefix?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Parses the parameters of a search, each value as its part.
 * @throws Problem `invalid-request` with all errors
 */
export function parseSearch(
  { parts }: SearchDefinition,
  texts: SearchParameters,
  times: PartTimes,
): IndexSearch {
  const conditions = conditionsOf(parts, texts, times);
  try {
    return indexSearch(parts, conditions);
  } catch (error) {
    if (error instanceof KeyError) throw invalidQuery([errorOf(error)]);
    throw error;
  }
}

function conditionsOf(
  parts: readonly SearchPart[],
  { eq = [], prefix, from, to }: SearchParameters,
  times: PartTimes,
): Condition[] {
  const fieldErrors: FieldError[] = [];
  const read = (is: Condition['is'], part: SearchPart | undefined, field: string, text?: string) =>
    text === undefined ? [] : conditionOf({ is, part, field, text, times }, fieldErrors);
  if (eq.length > parts.length) {
    fieldErrors.push({ path: 'query.eq', message: `must be given at most ${countOf(parts)}` });
  }
  if (prefix !== undefined && (from !== undefined || to !== undefined)) {
    fieldErrors.push({ path: 'query.prefix', message: 'must not be combined with from and to' });
  }
  const next = parts[eq.length];
  const conditions = [
    ...parts.flatMap((part, index) => read('equal', part, `query.eq[${index}]`, eq[index])),
    ...read('prefix', next, 'query.prefix', prefix),
    ...read('from', next, 'query.from', from),
    ...read('to', next, 'query.to', to),
  ];
  if (fieldErrors.length > 0) throw invalidQuery(fieldErrors);
  return conditions;
}

function conditionOf(
  given: Pick<Condition, 'is' | 'field'> & {
    part: SearchPart | undefined;
    text: string;
    times: PartTimes;
  },
  fieldErrors: FieldError[],
): Condition[] {
  const { is, part, field, text, times } = given;
  if (part === undefined) {
    fieldErrors.push({
      path: field,
      message: 'must not be given: eq covers all parts of the search',
    });
    return [];
  }
  if (is === 'prefix' && !isTextPart(part)) {
    fieldErrors.push({ path: field, message: 'needs a part that is text; use from and to' });
    return [];
  }
  try {
    return [{ is, part, field, value: parsePartValue(part, field, text, times) }];
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    fieldErrors.push(errorOf(error));
    return [];
  }
}

function countOf({ length }: readonly SearchPart[]): string {
  return length === 1 ? 'once' : `${length} times`;
}

function errorOf({ field, reason }: KeyError): FieldError {
  return { path: field, message: reason };
}
