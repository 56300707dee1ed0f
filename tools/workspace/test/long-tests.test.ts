import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const workspace = resolve(__dirname, '../../..');
const files = globSync('{apps,libs,tools}/*/**/*.long.test.ts', {
  cwd: workspace,
  exclude: (name) => name === 'node_modules',
});

it('long tests exist, and all are in test/', () => {
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => file.split('/')[2] !== 'test')).toEqual([]);
});

it('those that begin first exist', () => {
  const list = resolve(workspace, 'tools/workspace/src/tests/longest-tests.json');
  const longest = JSON.parse(readFileSync(list, 'utf8')) as string[];
  expect(longest.filter((path) => !files.includes(path))).toEqual([]);
});
