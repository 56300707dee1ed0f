import { deadLetterReasons } from '@engawa/model';
import { refusalOf } from './refusal.ts';
import { whyRefused } from './why-refused.ts';
import { showDetailCode } from './refusal-schema.ts';
import { reasonOfCode, refusalCodes } from './refusal-texts.ts';

describe('showDetailCode', () => {
  const late = { code: 'time-ahead', values: { attribute: 'time', time: '2099-01-01T00:00:00Z' } };

  it('has the code and the values of a detail', () => {
    expect(showDetailCode(late, 'bad_time')).toEqual(late);
    const { reason, detailCode } = whyRefused([
      { ...refusalOf('fields-too-deep', { field: '"a"', max: 32 }), index: 4, times: 3 },
    ]);
    const values = { field: '"a"', max: 32, index: 4, more: 2 };
    expect(showDetailCode(detailCode, reason)).toEqual({ code: 'fields-too-deep', values });
  });

  it.each([
    ['no code, of an older version', undefined],
    ['a code that this version lacks', { code: 'of-a-later-version', values: {} }],
    ['values in another form', { ...late, values: { time: 7 } }],
    [
      'a code of another reason, after an older version changed the reason',
      refusalOf('no-decoder'),
    ],
  ])('is absent with %s', (_what, given) => {
    const detailCode = given && 'detailCode' in given ? given.detailCode : given;
    expect(showDetailCode(detailCode, 'bad_time')).toBeUndefined();
  });
});

describe('refusalOf', () => {
  it('truncates what hostile payloads make long, within characters', () => {
    const { detail, detailCode } = refusalOf('payload-not-json', { message: '😀'.repeat(1000) });
    expect(Buffer.byteLength(detail)).toBeLessThan(900);
    expect(Buffer.byteLength(String(detailCode.values['message']))).toBeLessThan(260);
    expect(String(detailCode.values['message']).isWellFormed()).toBe(true);
  });

  it('has codes for all reasons', () => {
    expect(new Set(refusalCodes.map(reasonOfCode))).toEqual(new Set(deadLetterReasons));
  });
});
