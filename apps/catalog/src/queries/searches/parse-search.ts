import { KeyError } from '@engawa/keys';
import { invalidQuery } from '../../values/invalid-request.ts';
import { searchAsked } from './index-search.ts';
import { isTextPart, partValue } from '../../values/parse-part-value.ts';
import type { FieldError } from '@engawa/errors';
import type { SearchDefinition, SearchPart } from '@engawa/model';
import type { Condition, SearchAsked } from './index-search.ts';

export interface SearchTexts {
  eq?: readonly string[] | undefined;
  prefix?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** By whose clocks dates and local times are. */
  timeZone: string;
}

/**
 * What the query asks of a search, each value read as the part that it is about.
 * @throws Problem `invalid-request` with everything that is wrong
 */
export function readSearch({ parts }: SearchDefinition, texts: SearchTexts): SearchAsked {
  const conditions = conditionsOf(parts, texts);
  try {
    return searchAsked(parts, conditions);
  } catch (error) {
    if (error instanceof KeyError) throw invalidQuery([faultOf(error)]);
    throw error;
  }
}

function conditionsOf(parts: readonly SearchPart[], texts: SearchTexts): Condition[] {
  const { eq = [], prefix, from, to, timeZone } = texts;
  const faults: FieldError[] = [];
  const read = (is: Condition['is'], part: SearchPart | undefined, field: string, text?: string) =>
    text === undefined ? [] : conditionOf({ is, part, field, text, timeZone }, faults);
  if (eq.length > parts.length) {
    faults.push({ path: 'query.eq', message: `must be given at most ${countOf(parts)}` });
  }
  if (prefix !== undefined && (from !== undefined || to !== undefined)) {
    faults.push({ path: 'query.prefix', message: 'must come without from and to' });
  }
  const next = parts[eq.length];
  const conditions = [
    ...parts.flatMap((part, index) => read('equal', part, `query.eq[${index}]`, eq[index])),
    ...read('prefix', next, 'query.prefix', prefix),
    ...read('from', next, 'query.from', from),
    ...read('to', next, 'query.to', to),
  ];
  if (faults.length > 0) throw invalidQuery(faults);
  return conditions;
}

function conditionOf(
  given: Pick<Condition, 'is' | 'field'> & {
    part: SearchPart | undefined;
    text: string;
    timeZone: string;
  },
  faults: FieldError[],
): Condition[] {
  const { is, part, field, text, timeZone } = given;
  if (part === undefined) {
    faults.push({
      path: field,
      message: 'must have a part of the search left, behind those of eq',
    });
    return [];
  }
  if (is === 'prefix' && !isTextPart(part)) {
    faults.push({ path: field, message: 'must be of a part that is text; use from and to' });
    return [];
  }
  try {
    return [{ is, part, field, value: partValue(part, field, text, timeZone) }];
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    faults.push(faultOf(error));
    return [];
  }
}

function countOf({ length }: readonly SearchPart[]): string {
  return length === 1 ? 'once' : `${length} times`;
}

function faultOf({ field, reason }: KeyError): FieldError {
  return { path: field, message: reason };
}
