import { readOptions } from '../src/tests/options.ts';

it.each([
  ['true', true],
  ['1', true],
  ['false', false],
  ['', false],
  [undefined, false],
])('with CI=%s, everything is tested although it is unchanged: %s', (CI, everything) => {
  expect(readOptions([], { CI })).toMatchObject({ everything, isShort: true, isLong: false });
});

it('reads projects and the length of the tests', () => {
  expect(readOptions(['keys', '@engawa/model'], {}).projects).toEqual(['keys', '@engawa/model']);
  expect(readOptions(['--long'], {})).toMatchObject({ isShort: false, isLong: true });
  const all = { isShort: true, isLong: true, everything: true };
  expect(readOptions(['--all'], {})).toMatchObject(all);
  expect(readOptions([], {}).pauses).toBe(false);
});

it.each([[['--change']], [['--changed', 'keys']], [['--changed', '--all']]])(
  'refuses %j, and says why',
  (args) => {
    expect(() => readOptions(args, {})).toThrow(/--change/);
  },
);
