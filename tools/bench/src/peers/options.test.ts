import { parseOptions } from '../options.ts';
import { choosePeers } from './choose-peers.ts';
import { peerNames } from './peer.ts';

it('compares all peers in all parts by default', () => {
  expect(parseOptions(['peers'])).toEqual({
    subject: 'peers',
    readings: 30_000,
    warmUp: 20_000,
    repetitions: 3,
    kills: 10,
    rate: 300,
    seconds: 20,
    peers: ['naive', 'careful', 'engine', 'engawa', 'engawa-no-linger'],
    arrays: ['1', '10', '60'],
    only: ['cpu', 'units', 'kills', 'latency'],
    node: [],
    profile: undefined,
    save: false,
  });
});

it.each<[string[], string]>([
  [['--peers', 'telegraf'], "--peers: no part 'telegraf'"],
  [['--only', 'memory'], "--only: no part 'memory'"],
  [['--kills', '0'], '--kills'],
])('rejects %j', (args, why) => {
  expect(() => parseOptions(['peers', ...args])).toThrow(why);
});

it('skips peers whose programs the environment does not name', () => {
  const choice = { peers: peerNames, node: [], profile: undefined };
  const without = choosePeers(choice, {});
  expect(without.peers.map(({ name }) => name)).toEqual(['naive', 'engawa', 'engawa-no-linger']);
  expect(without.skipped).toEqual([
    expect.stringContaining('careful is skipped: BENCH_PYTHON'),
    expect.stringContaining('engine is skipped: BENCH_ENGINE'),
  ]);
  const named = choosePeers(choice, { BENCH_PYTHON: 'python3', BENCH_ENGINE: 'bento' });
  expect(named.peers.map(({ name }) => name)).toEqual(peerNames);
  expect(named.skipped).toEqual([]);
});
