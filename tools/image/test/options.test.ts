import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pinnedBase, readDockerfile } from '../src/base-image.ts';
import { buildArguments, parseOptions } from '../src/options.ts';
import { workspace } from './running-image.ts';

const argumentsOf = (...args: string[]) => buildArguments(parseOptions(args, '1.2.3'), '1.2.3');

it('names the image after the version', () => {
  expect(argumentsOf()).toEqual([
    ...['build', '--tag', 'engawa:1.2.3', '--build-arg', 'VERSION=1.2.3', '--file', '-', '.'],
  ]);
});

it('takes another name and network', () => {
  expect(argumentsOf('home/engawa:7', '--network', 'host')).toEqual([
    ...['build', '--tag', 'home/engawa:7', '--build-arg', 'VERSION=1.2.3'],
    ...['--network', 'host', '--file', '-', '.'],
  ]);
});

it('replaces the pinned base image by another one', () => {
  const dockerfile = readDockerfile(workspace);
  const pinned = pinnedBase(dockerfile);
  expect(pinned).toMatch(/^node:24\.\S+@sha256:[0-9a-f]{64}$/);
  expect(readDockerfile(workspace, 'node:24').split('\n')).toEqual(
    dockerfile.split('\n').map((line) => line.replace(pinned, 'node:24')),
  );
  expect(pinnedBase(readDockerfile(workspace, 'node:24'))).toBe('node:24');
});

it.each([
  [['--tag', 'a'], "Unknown option '--tag'"],
  [['a', 'b'], 'there is one tag, not a and b'],
])('refuses %j', (args, sentence) => {
  expect(() => parseOptions(args, '1')).toThrow(sentence);
});

it('reports a missing Docker', () => {
  const main = join(__dirname, '../src/main.ts');
  const options = { env: { PATH: '/nowhere' }, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(process.execPath, [main], options);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^engawa: there is no Docker client on this machine \(.*\)\n$/);
});
