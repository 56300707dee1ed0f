import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { helmCommand } from '@engawa/chart/helm';
import { describeWith } from '@engawa/testing';
import { unsupportedReason } from '../src/build/engine.ts';
import { Repository } from '../src/repository.ts';
import { workspace } from './repository-copy.ts';

const { version } = new Repository(workspace);

/** A Docker client of an engine for amd64 without buildx, whose only base is that of this machine. */
const client = `case "$1 $2" in
'version --format') echo linux/amd64 ;;
'buildx inspect' | 'pull --quiet') exit 1 ;;
'image inspect') [ "$3" = node:24-bookworm-slim ] ;;
'build --tag') cat > "$DOCKERFILE" ;;
'save --output') echo image > "$3" ;;
run*) case "$*" in *dpkg-query*) printf 'libc6\\t2.36-9+deb12u10\\tamd64\\nbase-files\\t12.4\\tamd64\\n' ;; *) echo '{"node":"24.21.0","npm":["@npmcli/fs@5.0.0","npm@11.6.0"]}' ;; esac ;;
*) echo "docker $*" >&2; exit 1 ;;
esac`;

describeWith([helmCommand()], 'images of a release', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'engawa-engine-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it("builds for the engine's platform, lists the image's packages, and gives the reason for skipping the other", async () => {
    writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${client}\n`);
    chmodSync(join(folder, 'docker'), 0o755);
    const out = join(folder, 'release');
    const dockerfile = join(folder, 'Dockerfile');
    const path = [folder, process.env['PATH'] ?? ''].join(delimiter);
    const env = {
      ...process.env,
      PATH: path,
      DOCKERFILE: dockerfile,
      SOURCE_DATE_EPOCH: '1795000000',
    };
    const args = [join(__dirname, '../src/main.ts'), '--dry-run', '--out', out];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(readFileSync(dockerfile, 'utf8')).toContain('\nFROM node:24-bookworm-slim AS base\n');
    expect(stdout).toContain(
      'left out: the pinned base: the images are built on node:24-bookworm-slim of this machine: do not publish them\n',
    );
    expect(stdout).toMatch(
      /left out: image linux\/arm64: this engine builds for linux\/amd64; it needs docker buildx and an emulation of linux\/arm64 \(QEMU\)/,
    );
    const image = `engawa-${version}-image-linux-amd64`;
    expect(readdirSync(out)).toEqual(expect.arrayContaining([`${image}.cdx.json`, `${image}.tar`]));
    const { components } = JSON.parse(readFileSync(join(out, `${image}.cdx.json`), 'utf8')) as {
      components: { name: string; purl?: string }[];
    };
    const purls = components.map(({ purl }) => purl);
    expect(purls).toContain('pkg:deb/debian/libc6@2.36-9%2Bdeb12u10?arch=amd64');
    expect(purls).toEqual(
      expect.arrayContaining([
        'pkg:generic/node@24.21.0',
        'pkg:npm/npm@11.6.0',
        'pkg:npm/%40npmcli/fs@5.0.0',
      ]),
    );
    expect(components.map(({ name }) => name)).toContain('express');
    expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8')).toContain(`  ${image}.tar\n`);
  });

  it('builds for other platforms with buildx and emulation only', () => {
    const engine = { base: '', isPinned: true, hasBuildx: true, platforms: ['linux/amd64'] };
    expect(unsupportedReason(engine, 'linux/amd64')).toBeUndefined();
    expect(unsupportedReason(engine, 'linux/arm64')).toContain(
      'it needs an emulation of linux/arm64',
    );
  });
});
