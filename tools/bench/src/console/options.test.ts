import { parseOptions } from '../options.ts';

it('measures everything by default', () => {
  expect(parseOptions(['console'])).toEqual({
    subject: 'console',
    readings: 1_000_000,
    repetitions: 9,
    samples: 1000,
    minutes: 60,
    only: ['drawing', 'heat', 'page', 'latency', 'memory'],
    save: false,
  });
});

it.each<[string[], string]>([
  [['console', '--readings', '10'], '--readings'],
  [['console', '--repetitions', '0'], '--repetitions'],
  [['console', '--samples', '1'], '--samples'],
  [['console', '--minutes', '1'], '--minutes'],
  [['console', '--only', 'query'], 'query'],
])('rejects %j', (args, why) => {
  expect(() => parseOptions(args)).toThrow(why);
});
