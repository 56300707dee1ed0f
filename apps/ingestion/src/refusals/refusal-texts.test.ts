import { InvariantError } from '@engawa/errors';
import { refusalCodes, refusalText } from './refusal-texts.ts';
import { toRefusal } from './refusal.ts';
import type { RefusalValues } from './refusal-texts.ts';

const values: Required<RefusalValues> = {
  ...{ field: '"a"', message: 'no', time: '2026-01-01T00:00:00.000Z', attribute: 'ts' },
  ...{ bytes: 5, readings: 2, max: 1, kind: 'meter' },
  ...{ alias: '7', messageType: 'NDATA', levels: 3 },
};

it.each(refusalCodes)('%s has a text with its values', (code) => {
  expect(refusalText(code, values)).not.toMatch(/undefined|^$/);
});

it.each(refusalCodes)('%s has no text that says `undefined` where a value is missing', (code) => {
  expect(textWithoutValues(code)).not.toContain('undefined');
});

function textWithoutValues(code: (typeof refusalCodes)[number]): string {
  try {
    return refusalText(code, {});
  } catch (error) {
    if (error instanceof InvariantError) return error.message;
    throw error;
  }
}

it('does not blame a payload for a broken invariant', () => {
  const refusal = toRefusal(new InvariantError('a refusal has the values of its text'));
  expect(refusal).toMatchObject({
    reason: 'internal_error',
    detail: 'an error in Engawa: a refusal has the values of its text',
  });
});
