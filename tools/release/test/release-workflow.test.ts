import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { helmCommand, renderText } from '@engawa/chart/helm';
import { describeWith } from '@engawa/testing';
import { parse } from 'yaml';
import { RepositoryCopy } from './repository-copy.ts';
import { workflow } from './workflow.ts';

const { defaults, jobs } = workflow('.github/workflows/release.yml');
const image = 'ghcr.io/homes/engawa';
const digests = { image: `sha256:${'1'.repeat(64)}`, chart: `sha256:${'2'.repeat(64)}` };

/** Programs that need a registry or an identity: they write their arguments into a file. */
const programs = {
  cosign: 'echo "cosign $*" >> "$CALLS"',
  docker: 'echo "docker $*" >> "$CALLS"; eval "$INSPECT"',
  helm: `case "$1" in
registry | push) echo "helm $*" >> "$CALLS"; [ "$1" != push ] || eval "$PUSH" ;;
*) PATH="\${PATH#*:}"; exec "$HELM" "$@" ;;
esac`,
};

const sbom = { packages: [{ name: 'express' }, { name: 'libc6' }, { name: 'debconf' }] };

describe('the image of a release', () => {
  const pushes = (jobs['image']?.steps ?? []).filter(({ uses }) => uses?.includes('/build-push-'));

  it('is pushed once, for both platforms, with SBOM and provenance', () => {
    expect(pushes.map((step) => step.with)).toMatchObject([
      { push: true, platforms: 'linux/amd64,linux/arm64', sbom: true, provenance: 'mode=max' },
    ]);
  });

  it('is signed and attested by the digest of this push', () => {
    expect(jobs['image']?.outputs?.['digest']).toBe(
      `\${{ steps.${pushes[0]?.id ?? ''}.outputs.digest }}`,
    );
    const digest = '${{ needs.image.outputs.digest }}';
    for (const name of ['artifacts', 'sign']) expect(jobs[name]?.env?.['DIGEST']).toBe(digest);
    const attested = (jobs['sign']?.steps ?? []).filter(({ uses }) =>
      uses?.startsWith('actions/attest@'),
    );
    expect(attested.map((step) => step.with)).toMatchObject([
      { 'subject-digest': digest, 'push-to-registry': true },
      { 'subject-checksums': 'release/SHA256SUMS' },
    ]);
  });
});

describeWith([helmCommand(), 'jq', 'sha256sum'], 'the scripts of a release', () => {
  let copy: RepositoryCopy;
  beforeEach(() => void (copy = new RepositoryCopy()));
  afterEach(() => copy.remove());

  /** Runs the scripts of these jobs, each with the variables that its step declares. */
  function run(names: string[], given: Record<string, string> = {}): void {
    const bin = join(copy.folder, 'bin');
    mkdirSync(bin, { recursive: true });
    for (const [name, script] of Object.entries(programs))
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const values: Record<string, string> = {
      VERSION: copy.repository.version,
      IMAGE: image,
      DIGEST: digests.image,
      TOKEN: 'token',
    };
    for (const job of names.map((name) => jobs[name])) {
      for (const { run: script, env, 'working-directory': folder = '.' } of job?.steps ?? []) {
        if (script === undefined) continue;
        const declared = Object.keys({ ...job?.env, ...env });
        const { status, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
          cwd: join(copy.folder, folder),
          encoding: 'utf8',
          env: {
            ...Object.fromEntries(declared.map((name) => [name, values[name]])),
            PATH: [bin, process.env['PATH']].join(delimiter),
            HELM: helmCommand(),
            CALLS: join(copy.folder, 'calls'),
            INSPECT: `echo '${JSON.stringify(sbom)}'`,
            PUSH: `echo "Digest: ${digests.chart}" >&2`,
            GITHUB_SERVER_URL: 'https://git.example.com',
            GITHUB_REPOSITORY: 'Homes/engawa',
            GITHUB_ACTOR: 'owner',
            ...given,
          },
        });
        if (status !== 0) throw new Error(`${script}\nfailed: ${stderr}`);
      }
    }
  }

  const read = (file: string): string => readFileSync(join(copy.folder, file), 'utf8');
  const calls = (): string[] => read('calls').trim().split('\n');
  const chart = (): string => join(copy.folder, `release/engawa-${copy.repository.version}.tgz`);

  function metadata(): { annotations: Record<string, string> } {
    const { stdout } = spawnSync(helmCommand(), ['show', 'chart', chart()], { encoding: 'utf8' });
    return parse(stdout) as { annotations: Record<string, string> };
  }

  it('run in a shell that detects failures within pipes', () => {
    // https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstepsshell
    expect(defaults?.run?.shell).toBe('bash');
  });

  it('make chart, SBOMs, notes and checksums', () => {
    run(['artifacts']);
    const { version } = copy.repository;
    const files = [
      `engawa-${version}-image-linux-amd64.spdx.json`,
      `engawa-${version}-image-linux-arm64.spdx.json`,
      `engawa-${version}.tgz`,
      'RELEASE_NOTES.md',
    ];
    expect(readdirSync(join(copy.folder, 'release')).sort()).toEqual(
      [...files, 'SHA256SUMS'].sort(),
    );
    const sums = read('release/SHA256SUMS').trim().split('\n');
    expect(sums.map((line) => line.split('  ')[1]).sort()).toEqual(files.toSorted());
    for (const [index, platform] of ['linux/amd64', 'linux/arm64'].entries()) {
      expect(JSON.parse(read(`release/${files[index] ?? ''}`))).toEqual(sbom);
      expect(calls()[index]).toBe(
        `docker buildx imagetools inspect ${image}@${digests.image} --format {{ json (index .SBOM "${platform}").SPDX }}`,
      );
    }
  });

  it('package a chart that runs the published image and names its sources and changes', () => {
    run(['artifacts']);
    const { version } = copy.repository;
    const values = { demo: { enabled: true }, cursors: { existingSecret: 'cursors' } };
    const images = renderText({ chart: chart(), values }).match(/image: .*engawa:.*/g);
    expect(new Set(images)).toEqual(new Set([`image: ${image}:${version}`]));
    const mirrored = { ...values, global: { imageRegistry: 'mirror.example.com' } };
    expect(renderText({ chart: chart(), values: mirrored })).toContain(
      `image: mirror.example.com/homes/engawa:${version}\n`,
    );
    const address = 'https://git.example.com/Homes/engawa';
    const { annotations, ...shown } = metadata();
    expect(shown).toMatchObject({ version, appVersion: version, home: address });
    expect(shown).toMatchObject({ sources: [address] });
    const hub = (name: string): unknown => parse(annotations[`artifacthub.io/${name}`] ?? '');
    expect(hub('prerelease')).toBe(false);
    expect(hub('images')).toMatchObject([{ name: 'engawa', image: `${image}:${version}` }]);
    expect(hub('links')).toMatchObject([
      { url: `${address}/blob/v${version}/docs/upgrading.md` },
      { url: `${address}/issues` },
    ]);
  });

  it('take notes and changes from the section of the version', () => {
    const section = `## [9.9.9-rc.1] - 2030-01-02

### Added

- A "name" with a \\ and a [link](docs/deploy.md#upgrade) on
  two lines.

### Fixed

- A fault.

`;
    copy.replace('CHANGELOG.md', /^## \[\d/m, `${section}$&`);
    copy.replace('charts/engawa/Chart.yaml', /^(version|appVersion): .*$/gm, '$1: 9.9.9-rc.1');
    copy.replace('package.json', /"version": ".*"/, '"version": "9.9.9-rc.1"');
    run(['artifacts']);
    expect(read('release/RELEASE_NOTES.md').trim()).toBe(
      section.slice(section.indexOf('###')).trim(),
    );
    const { annotations } = metadata();
    expect(parse(annotations['artifacthub.io/changes'] ?? '')).toEqual([
      { kind: 'added', description: 'A "name" with a \\ and a link on two lines.' },
      { kind: 'fixed', description: 'A fault.' },
    ]);
    expect(annotations['artifacthub.io/prerelease']).toBe('true');
  });

  it('sign the image, the published chart by its digest, and the checksums', () => {
    run(['artifacts', 'sign']);
    const { version } = copy.repository;
    expect(calls().filter((line) => !line.startsWith('docker'))).toEqual([
      `cosign sign --yes --recursive ${image}@${digests.image}`,
      'helm registry login ghcr.io --username owner --password-stdin',
      `helm push release/engawa-${version}.tgz oci://${image}/charts`,
      `cosign sign --yes ${image}/charts/engawa@${digests.chart}`,
      'cosign sign-blob --yes --bundle release/SHA256SUMS.sigstore.json release/SHA256SUMS',
    ]);
  });

  it('fail when the registry refuses the chart', () => {
    expect(() => run(['artifacts', 'sign'], { PUSH: 'echo refused >&2; exit 1' })).toThrow();
    expect(calls().filter((line) => line.includes('charts/engawa@'))).toEqual([]);
  });

  it('fail when a file has changed since it was packaged', () => {
    run(['artifacts']);
    writeFileSync(chart(), 'another chart');
    expect(() => run(['sign'])).toThrow('computed checksum did NOT match');
    expect(calls().filter((line) => line.startsWith('cosign'))).toEqual([]);
  });

  it.each([
    ['there is no SBOM', 'echo null'],
    ['the SBOM lacks packages of Debian', `echo '{"packages": [{"name": "express"}]}'`],
    ['the registry does not answer', 'exit 1'],
  ])('fail when %s', (_, inspect) => {
    expect(() => run(['artifacts'], { INSPECT: inspect })).toThrow('imagetools inspect');
  });

  it('fail when the packaged chart runs another image', () => {
    copy.replace('charts/engawa/values.yaml', '  repository: engawa', "  'repository': engawa");
    expect(() => run(['artifacts'])).toThrow('helm template');
  });
});
