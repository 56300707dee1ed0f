import { nxArguments } from '../src/nx-target.ts';

it.each([
  ['true', true],
  ['1', true],
  ['false', false],
  ['', false],
  [undefined, false],
])('with CI=%s, does a task run although Nx has its result: %s', (CI, isSkipped) => {
  expect(nxArguments('test', [], { CI }).includes('--skip-nx-cache')).toBe(isSkipped);
});

it('narrows the run to the projects that are named', () => {
  expect(nxArguments('test', ['@engawa/keys', '@engawa/model'], {}).slice(-2)).toEqual([
    '--projects',
    '@engawa/keys,@engawa/model',
  ]);
});
