import { parseOptions } from '../options.ts';

it('measures everything by default', () => {
  expect(parseOptions(['query'])).toEqual({
    subject: 'query',
    requests: 2000,
    repetitions: 3,
    only: ['latest', 'month', 'sizes'],
    node: [],
    profile: undefined,
    save: false,
  });
});

it('accepts given options', () => {
  const options = ['--requests', '100', '--only', 'month,latest', '--profile', 'here'];
  expect(parseOptions(['query', ...options])).toMatchObject({
    requests: 100,
    only: ['month', 'latest'],
    profile: 'here',
  });
  expect(parseOptions(['query', '--help'])).toBe('help');
});

it.each<[string[], string]>([
  [['query', '--requests', '99'], '--requests'],
  [['query', '--repetitions', '0'], '--repetitions'],
  [['query', '--only', 'units'], 'units'],
  [['query', '--broker', 'mosquitto'], '--broker'],
  [['query', '--save=yes'], '--save'],
])('rejects %j', (args, why) => {
  expect(() => parseOptions(args)).toThrow(why);
});
