import { resolve } from 'node:path';
import { findCircles } from '../src/imports/find-circles.ts';
import { importedBy, readImports } from '../src/imports/read-imports.ts';

const workspace = resolve(__dirname, '../../..');
const advice =
  'move what they share to a file that imports none of them, or pass it as a parameter';

it('no file imports itself by way of others', () => {
  const imports = readImports(workspace);
  const circles = findCircles(imports).map((circle) => `${circle.join(' → ')}: ${advice}`);
  expect(circles).toEqual([]);
  expect(imports.get('apps/console/web/app.tsx')).toContain('apps/console/web/pages/pages.ts');
});

it.each([
  [`import { b } from './b.ts';`, ['web/b.ts']],
  [`import './b.ts';`, ['web/b.ts']],
  [`import type { B } from '../b.ts';`, ['b.ts']],
  [`export { b } from './b.ts';`, ['web/b.ts']],
  [`export type { B } from './b.ts';`, ['web/b.ts']],
  [`const load = async () => (await import('./b.tsx')).b;`, ['web/b.tsx']],
  [`export type B = import('./b.ts').B;`, ['web/b.ts']],
  [`import { b } from '@engawa/b';`, []],
  [`// import { b } from './b.ts';\nconst text = "import './b.ts'";`, []],
])('%s imports %j', (content, imported) => {
  expect(importedBy('web/a.ts', content)).toEqual(imported);
});

it.each([
  ['none', { a: ['b', 'c'], b: ['c'], c: [] }, []],
  ['a file that imports itself', { a: ['a'] }, ['a a']],
  ['two files', { a: ['b'], b: ['a', 'c'], c: [] }, ['a b a']],
  [
    'three files, two of which have one of their own',
    { a: ['b'], b: ['c'], c: ['a', 'b'] },
    ['a b c a', 'c b c'],
  ],
  ['files that others import', { a: ['b'], b: ['c'], c: ['b'] }, ['b c b']],
])('circles of %s', (_, imports, circles) => {
  const found = findCircles(new Map(Object.entries(imports)));
  expect(found.map((circle) => circle.join(' '))).toEqual(circles);
});
