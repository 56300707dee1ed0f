import { isDeepStrictEqual } from 'node:util';
import { absent, equal } from '@engawa/table';
import { Addition, changedValue } from '../content/attribute-changes.ts';
import { storedValue } from '../../values/stored-value.ts';
import { ValueError } from '../../values/value-error.ts';
import type { Entity, EntityType } from '@engawa/model';
import type { AttributeChanges } from './in-place-update.ts';

/** An addition to a score, whose index key is made of the sum. */
export interface Score {
  attribute: string;
  addition: Addition;
}

/** The addition to the value of the type's first ranking, if there is one. */
export function scoreAddition(type: EntityType, attributes: AttributeChanges): Score | undefined {
  const own = type.rankings.find(({ name }) => name === type.ownRanking);
  if (own === undefined) return undefined;
  const { attribute } = own;
  const addition = attributes.get(attribute);
  return addition instanceof Addition ? { attribute, addition } : undefined;
}

/** The changes with the sum in place of the addition. @returns undefined where the current value is not a number */
export function resolveScore(
  attributes: AttributeChanges,
  score: Score | undefined,
  current: Entity | undefined,
) {
  if (score === undefined) return { attributes, scoreCondition: [] };
  const { attribute, addition } = score;
  const before = current?.attributes.get(attribute);
  try {
    const sum = changedValue(before, addition) ?? null;
    const path = ['data', 'attributes', attribute];
    const isStill = before === undefined ? absent(path) : equal(path, storedValue(before));
    return { attributes: new Map([...attributes, [attribute, sum]]), scoreCondition: [isStill] };
  } catch (error) {
    if (error instanceof ValueError) return undefined;
    throw error;
  }
}

export function hasOtherScore(
  { attribute }: Score,
  before: Entity | undefined,
  now: Entity,
): boolean {
  return !isDeepStrictEqual(before?.attributes.get(attribute), now.attributes.get(attribute));
}
