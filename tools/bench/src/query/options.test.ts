import { parseOptions } from '../options.ts';

it('measures everything by default, except the largest table', () => {
  expect(parseOptions(['query'])).toEqual({
    subject: 'query',
    requests: 2000,
    repetitions: 3,
    large: false,
    only: ['latest', 'month', 'sizes', 'growth'],
    node: [],
    profile: undefined,
    save: false,
  });
});

it('accepts given options', () => {
  const options = ['--requests', '100', '--only', 'growth,latest', '--large', '--profile', 'here'];
  expect(parseOptions(['query', ...options])).toMatchObject({
    requests: 100,
    only: ['growth', 'latest'],
    large: true,
    profile: 'here',
  });
  expect(parseOptions(['query', '--help'])).toBe('help');
});

it.each<[string[], string]>([
  [['query', '--requests', '99'], '--requests'],
  [['query', '--repetitions', '0'], '--repetitions'],
  [['query', '--only', 'units'], 'units'],
  [['query', '--broker', 'mosquitto'], '--broker'],
  [['query', '--large=yes'], '--large'],
])('rejects %j', (args, why) => {
  expect(() => parseOptions(args)).toThrow(why);
});
