import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { helmCommand, renderText } from '@engawa/chart/helm';
import { describeWith } from '@engawa/testing';
import { parse } from 'yaml';
import { Repository } from '../src/repository.ts';
import { workspace } from './repository-copy.ts';

const { version } = new Repository(workspace);
const main = join(__dirname, '../src/main.ts');
const time = 1_795_000_000;
const address = 'https://git.example.com/homes/engawa';
const image = 'registry.example.com/Homes/engawa';

/** No container engine listens at this address, even on a machine with one. */
const env = {
  ...process.env,
  PATH: process.env['PATH'] ?? '',
  SOURCE_DATE_EPOCH: String(time),
  DOCKER_HOST: 'unix:///nowhere/docker.sock',
};

describeWith([helmCommand(), 'sha256sum'], 'npm run release -- --dry-run', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'engawa-dist-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  async function release(name: string, ...options: string[]) {
    const out = join(folder, name);
    const args = ['--dry-run', '--out', out, '--image', image, '--repository', address, ...options];
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { env });
    const read = (file: string): string => readFileSync(join(out, file), 'utf8');
    return { out, stdout, read, names: readdirSync(out).sort() };
  }

  it('builds chart, package list, notes and checksums, and reports images that it cannot build', async () => {
    const { out, stdout, read, names } = await release('release');
    expect(names).toEqual([
      'RELEASE_NOTES.md',
      'SHA256SUMS',
      `engawa-${version}-npm.cdx.json`,
      `engawa-${version}.tgz`,
      'release.json',
    ]);
    expect(stdout).toContain('packaging the chart …\n');
    expect(stdout).toContain('left out: image linux/amd64: there is no Docker engine');
    expect(stdout).toContain('left out: image linux/arm64: there is no Docker engine');
    expect(JSON.parse(read('release.json'))).toMatchObject({ version, time, leftOut: [{}, {}] });
    expect(read('RELEASE_NOTES.md')).toContain('### ');
    const check = ['--check', '--strict', 'SHA256SUMS'];
    const { stdout: checked } = await promisify(execFile)('sha256sum', check, { cwd: out });
    expect(checked.trim().split('\n')).toHaveLength(names.length - 1);
  });

  it('packages a chart that runs the published image and names its sources and changes', async () => {
    const { out } = await release('release', '--images', 'none');
    const chart = join(out, `engawa-${version}.tgz`);
    const values = { demo: { enabled: true }, cursors: { existingSecret: 'cursors' } };
    const images = renderText({ chart, values }).match(/image: .*engawa:.*/g);
    expect(new Set(images)).toEqual(new Set([`image: ${image.toLowerCase()}:${version}`]));
    const { stdout } = await promisify(execFile)(helmCommand(), ['show', 'chart', chart]);
    const shown = parse(stdout) as { annotations: Record<string, string> };
    expect(shown).toMatchObject({
      version,
      appVersion: version,
      home: address,
      sources: [address],
    });
    const changes = parse(shown.annotations['artifacthub.io/changes'] ?? '') as { kind: string }[];
    expect(changes.map(({ kind }) => kind)).toContain('added');
  });

  it('produces the same bytes for the same commit', async () => {
    const [one, other] = [await release('one'), await release('other')];
    expect(one.read('SHA256SUMS')).toBe(other.read('SHA256SUMS'));
  });

  it('lists packages of production, and none of development', async () => {
    const { read } = await release('release', '--images', 'none');
    const sbom = JSON.parse(read(`engawa-${version}-npm.cdx.json`)) as {
      components: { name: string; purl?: string }[];
    };
    const names = sbom.components.map(({ name }) => name);
    expect(names).toContain('express');
    expect(names).not.toContain('jest');
  });

  it('leaves the former release or none when it is interrupted; the next build cleans up', async () => {
    // An npm that waits until its parent process has ended.
    const stalled = join(folder, 'stalled');
    mkdirSync(stalled);
    writeFileSync(join(stalled, 'npm'), '#!/bin/sh\nexec cat\n', { mode: 0o755 });
    for (const former of [false, true]) {
      const out = join(folder, `dist-${former}`, 'release');
      if (former) {
        await release(`dist-${former}/release`, '--images', 'none');
        writeFileSync(join(out, 'mark'), 'of the former release');
      }
      const args = [main, '--dry-run', '--out', out, '--images', 'none'];
      const child = spawn(process.execPath, args, {
        env: { ...env, PATH: [stalled, env.PATH].join(delimiter) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exit = once(child, 'exit');
      for await (const line of createInterface(child.stdout)) {
        if (line.startsWith('generating the SBOM of npm')) child.kill('SIGKILL');
      }
      expect(await exit).toEqual([null, 'SIGKILL']);
      expect(existsSync(out)).toBe(former);
      expect(existsSync(join(out, 'mark'))).toBe(former);
      expect(readdirSync(join(out, '..')).filter((name) => name !== 'release')).toHaveLength(1);
      await release(`dist-${former}/release`, '--images', 'none');
      expect(existsSync(join(out, 'mark'))).toBe(false);
      expect(readdirSync(join(out, '..'))).toEqual(['release']);
    }
  });

  it.each([
    [
      [],
      'a release is published by its tag (docs/releasing.md); --dry-run builds its artifacts here',
    ],
    [
      ['--dry-run', '--platforms', 'linux/386'],
      "--platforms must be linux/amd64, linux/arm64 or both, not 'linux/386'",
    ],
    [
      ['--dry-run', '--images', 'some'],
      "--images must be one of build, published, none, not 'some'",
    ],
    // This repository may have unreleased changes, which are another finding.
    [['--dry-run', '--tag', 'v9.9.9'], 'release check failed (findings: '],
    [['--now'], "Unknown option '--now'"],
  ])('refuses %j', async (args, sentence) => {
    const failed = await promisify(execFile)(process.execPath, [main, ...args], { env }).catch(
      (error: unknown) => error as { code: number; stderr: string },
    );
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stderr).toContain(`engawa: ${sentence}`);
  });
});
