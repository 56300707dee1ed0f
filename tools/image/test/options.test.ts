import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildArguments, parseOptions } from '../src/options.ts';

const argumentsOf = (...args: string[]) => buildArguments(parseOptions(args, '1.2.3'), '1.2.3');

it('names the image after the version, and builds on what the Dockerfile names', () => {
  expect(argumentsOf()).toEqual([
    ...['build', '--tag', 'engawa:1.2.3', '--build-arg', 'VERSION=1.2.3', '.'],
  ]);
});

it('takes another name, base and network', () => {
  expect(argumentsOf('home/engawa:7', '--base', 'node:24', '--network', 'host')).toEqual([
    ...['build', '--tag', 'home/engawa:7', '--build-arg', 'VERSION=1.2.3'],
    ...['--build-arg', 'BASE_IMAGE=node:24', '--network', 'host', '.'],
  ]);
});

it.each([
  [['--tag', 'a'], "Unknown option '--tag'"],
  [['a', 'b'], 'there is one tag, not a and b'],
])('refuses %j', (args, sentence) => {
  expect(() => parseOptions(args, '1')).toThrow(sentence);
});

it('says where there is no Docker', () => {
  const main = join(__dirname, '../src/main.ts');
  const options = { env: { PATH: '/nowhere' }, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(process.execPath, [main], options);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^engawa: there is no Docker client on this machine \(.*\)\n$/);
});
