import { parseOptions } from '../options.ts';

it('measures everything by default', () => {
  expect(parseOptions(['ingestion'])).toEqual({
    subject: 'ingestion',
    messages: 60_000,
    repetitions: 3,
    minutes: 1,
    backlogs: [64],
    seconds: 60,
    lingerScale: 100,
    broker: 'embedded',
    only: ['cpu', 'replicas', 'units', 'memory', 'isolation'],
    node: [],
    profile: undefined,
    save: false,
  });
});

it('accepts given options', () => {
  const options = ['--messages', '2000', '--only', 'units,cpu', '--node=--a --b', '--save'];
  expect(parseOptions(['ingestion', ...options])).toMatchObject({
    messages: 2000,
    only: ['units', 'cpu'],
    node: ['--a', '--b'],
    save: true,
  });
  expect(parseOptions(['--help'])).toBe('help');
});

it.each<[string[], string]>([
  [[], 'ingestion, query, hot, peers, start, console or walks'],
  [['registry'], 'ingestion, query, hot, peers, start, console or walks'],
  [['ingestion', 'twice'], 'twice'],
  [['ingestion', '--messages', '1500'], 'thousands'],
  [['ingestion', '--minutes', 'x'], '--minutes'],
  [['ingestion', '--only', 'disk'], 'disk'],
  [['ingestion', '--broker', 'hive'], 'hive'],
  [['ingestion', '--fast'], '--fast'],
])('rejects %j', (args, why) => {
  expect(() => parseOptions(args)).toThrow(why);
});
