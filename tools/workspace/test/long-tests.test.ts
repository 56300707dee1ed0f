import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const workspace = resolve(__dirname, '../../..');

interface Manifest {
  scripts: Record<string, string>;
}

function scriptsOf(project: string): Record<string, string> {
  return (JSON.parse(readFileSync(join(workspace, project, 'package.json'), 'utf8')) as Manifest)
    .scripts;
}

const files = globSync('{apps,libs,tools}/*/**/*.long.test.ts', {
  cwd: workspace,
  exclude: (name) => name === 'node_modules',
});
const projects = [...new Set(files.map((file) => file.split('/', 2).join('/')))];

it('long tests exist, and all are in test/', () => {
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => file.split('/')[2] !== 'test')).toEqual([]);
});

it.each(projects)('%s has the script that runs its long tests', (project) => {
  expect(scriptsOf(project)['test-long']).toContain('jest.long.cjs');
});
