import { parseOptions } from '../options.ts';

it('measures everything by default', () => {
  expect(parseOptions(['hot'])).toEqual({
    subject: 'hot',
    seconds: 60,
    limit: 25,
    devices: 150,
    only: ['device', 'heat', 'metric', 'list'],
    node: [],
    profile: undefined,
    save: false,
  });
});

it('accepts given options', () => {
  const options = ['--seconds', '30', '--limit', '50', '--only', 'heat,list', '--save'];
  expect(parseOptions(['hot', ...options])).toMatchObject({
    seconds: 30,
    limit: 50,
    only: ['heat', 'list'],
    save: true,
  });
});

it.each<[string[], string]>([
  [['hot', '--seconds', '5'], '--seconds'],
  [['hot', '--limit', '1000'], '--limit'],
  [['hot', '--devices', '0'], '--devices'],
  [['hot', '--only', 'cold'], 'cold'],
])('rejects %j', (args, why) => {
  expect(() => parseOptions(args)).toThrow(why);
});
