import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildTools, toolsLock } from '../src/tools-lock.ts';
import { workspace } from './running-image.ts';
import type { Lock } from '../src/production-lock.ts';

it('installs each tool where its project finds it, with the native code of each platform', () => {
  const packages = {
    '': {},
    'apps/web': { name: '@engawa/web', version: '1.0.0', devDependencies: { bundler: '^2.0.0' } },
    'apps/web/node_modules/bundler': {
      version: '2.1.0',
      dev: true,
      dependencies: { parser: '^1.0.0' },
      optionalDependencies: { 'bundler-x64': '2.1.0' },
    },
    'node_modules/bundler': { version: '1.0.0' },
    'node_modules/bundler-x64': { version: '2.1.0', optional: true, cpu: ['x64'] },
    'node_modules/parser': { version: '1.0.0', dev: true },
    'node_modules/other': { version: '1.0.0' },
  };
  const { root, projects, lock } = toolsLock({ packages }, [
    { folder: 'apps/web', name: 'bundler' },
  ]);
  expect(root).toMatchObject({ workspaces: ['apps/web'] });
  expect(projects.get('apps/web')).toMatchObject({ dependencies: { bundler: '^2.0.0' } });
  expect(Object.keys(lock.packages).sort()).toEqual([
    '',
    'apps/web',
    'apps/web/node_modules/bundler',
    'node_modules/@engawa/web',
    'node_modules/bundler-x64',
    'node_modules/parser',
  ]);
  expect(lock.packages['apps/web/node_modules/bundler']).toMatchObject({
    version: '2.1.0',
    optionalDependencies: { 'bundler-x64': '2.1.0' },
  });
  expect(lock.packages['node_modules/parser']).not.toHaveProperty('dev', true);
});

it('finds the bundlers in the lock file of the repository', () => {
  const lock = JSON.parse(readFileSync(join(workspace, 'package-lock.json'), 'utf8')) as Lock;
  const paths = Object.keys(toolsLock(lock, buildTools).lock.packages);
  expect(paths).toContain('node_modules/esbuild-wasm');
  expect(paths.filter((path) => path.endsWith('node_modules/vite'))).toHaveLength(1);
  expect(paths).toContain('node_modules/@rolldown/binding-linux-x64-gnu');
  expect(paths).not.toContain('node_modules/jest');
});
