import { durationParameter, parseDuration } from './duration-parameter.ts';

it.each([
  ['PT1S', 1000],
  ['PT90M', 5_400_000],
  ['PT1H', 3_600_000],
  ['P1D', 86_400_000],
  ['P1DT12H30M5S', 131_405_000],
  ['P1DT5S', 86_405_000],
  ['P2W', 1_209_600_000],
  ['PT0S', 0],
])('%s is %d ms', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

it.each([
  '',
  'P',
  'PT',
  'P1DT',
  '1H',
  'PT1',
  'P1H',
  'P1Y',
  'P1M',
  'P1W1D',
  'PT1M1H',
  'PT1.5H',
  'PT-1H',
  '-PT1H',
  'pt1h',
  ' PT1H',
  'PT1H\n',
  'PT1234567890S',
  '3600',
])('%j is none', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

it('takes what is within its bounds, both included', () => {
  const parameter = durationParameter({ from: 'PT1M', to: 'P1D' });
  expect(parameter.parse('PT60S')).toBe(60_000);
  expect(parameter.parse('PT24H')).toBe(86_400_000);
  for (const beyond of ['PT59S', 'PT86401S']) {
    expect(parameter.safeParse(beyond).error?.issues).toMatchObject([
      { message: 'must be from PT1M to P1D' },
    ]);
  }
});
