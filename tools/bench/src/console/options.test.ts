import { parseOptions } from '../options.ts';

it('draws a million readings by default', () => {
  expect(parseOptions(['console'])).toEqual({
    subject: 'console',
    readings: 1_000_000,
    repetitions: 9,
    only: ['drawing'],
    save: false,
  });
});

it.each<[string[], string]>([
  [['console', '--readings', '10'], '--readings'],
  [['console', '--repetitions', '0'], '--repetitions'],
  [['console', '--only', 'query'], 'query'],
])('rejects %j', (args, why) => {
  expect(() => parseOptions(args)).toThrow(why);
});
