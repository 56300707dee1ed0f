import { parseState, resolveRange, sourceKey, writeState } from './explore-state.ts';
import type { ExploreState } from './explore-state.ts';

const zone = 'Asia/Tokyo';
const parse = (text: string): ExploreState => parseState(new URLSearchParams(text), zone);

test('an address without parameters is the usual state, and the other way round', () => {
  const state = parse('');
  expect(state).toEqual({
    sources: [],
    fields: [],
    range: { last: '24h' },
    show: 'avg',
    split: false,
    compare: 'none',
    zone,
  });
  expect(writeState(state, zone)).toBe('');
});

test('all that is chosen comes back from the address', () => {
  const state: ExploreState = {
    sources: [
      { kind: 'device', id: 'a/b&c=d' },
      { kind: 'room', place: 'home 1', room: 'living/ダイニング' },
      { kind: 'place', id: 'home 1' },
    ],
    fields: ['temperature', 'switch:1.power', 'a,b'],
    range: { from: Date.UTC(2026, 10, 20), to: Date.UTC(2026, 10, 21, 1, 2, 3, 4) },
    show: 'readings',
    split: true,
    compare: 'week',
    zone: 'Europe/Berlin',
  };
  expect(parse(writeState(state, zone))).toEqual(state);
  const relative: ExploreState = { ...state, range: { last: '30d' } };
  expect(parse(writeState(relative, zone))).toEqual(relative);
});

test('a repeated source or field counts once', () => {
  const { sources, fields } = parse('device=a&device=b&device=a&field=x&field=x');
  expect(sources.map(sourceKey)).toEqual(['device=a', 'device=b']);
  expect(fields).toEqual(['x']);
});

test.each([
  'last=2h',
  'from=2026-11-21&to=2026-11-20',
  'from=yesterday&to=today',
  'from=2026-11-21',
  'show=average',
  'compare=year',
  'zone=Mars/Olympus',
  'room=home',
  'room=%25E0%25/x',
  'device=&field=',
])('an address with %s, which has no meaning, is the usual state', (text) => {
  expect(writeState(parse(text), zone)).toBe('');
});

test('a relative range ends now', () => {
  const now = Date.UTC(2026, 10, 20);
  expect(resolveRange({ last: '6h' }, now)).toEqual({ from: now - 6 * 3_600_000, to: now });
  expect(resolveRange({ from: 1, to: 2 }, now)).toEqual({ from: 1, to: 2 });
});
