import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableBase, pinnedBase, readDockerfile } from '@engawa/image/base-image';
import { buildArguments } from '@engawa/image/options';
import { OperatorError } from '@engawa/errors';
import type { ImageContent } from './sbom.ts';
import { run, tryRun } from './run.ts';

/** The Docker client waits for an unreachable engine without limit. */
const timeoutMs = 20_000;

/** Capabilities of a Docker engine. */
export interface Engine {
  /** Base of the images: the pinned one, unless this machine has only a local one. */
  base: string;
  isPinned: boolean;
  /** Whether `docker buildx` is installed, which other platforms need. */
  hasBuildx: boolean;
  /** The native platform, such as `linux/amd64`, and those that it can emulate. */
  platforms: string[];
}

/** @returns the engine of this machine, or the reason why none can be used */
export async function findEngine(workspace: string): Promise<Engine | string> {
  const format = ['version', '--format', '{{.Server.Os}}/{{.Server.Arch}}'];
  const native = (await tryRun('docker', format, { timeoutMs }))?.trim();
  if (native === undefined) return 'there is no Docker engine on this machine';
  const base = availableBase(workspace);
  if (base === undefined) {
    return 'the base of the Dockerfile is not on this machine, and no registry of images can be reached (tools/image/base-image.sh makes one)';
  }
  const isPinned = base === pinnedBase(readDockerfile(workspace));
  const builder = await tryRun('docker', ['buildx', 'inspect', '--bootstrap'], { timeoutMs });
  const listed = /^Platforms:(?<list>.*)$/m.exec(builder ?? '')?.groups?.['list'] ?? '';
  const others = listed.split(',').map((platform) => platform.trim().replace('*', ''));
  const platforms = [...new Set([native, ...others.filter((platform) => platform !== '')])];
  return { base, isPinned, hasBuildx: builder !== undefined, platforms };
}

/** @returns the reason why the engine cannot build for the platform; `undefined` if it can */
export function unsupportedReason(
  { platforms, hasBuildx }: Engine,
  platform: string,
): string | undefined {
  if (platforms.includes(platform)) return undefined;
  const buildx = hasBuildx ? '' : 'docker buildx and ';
  return `this engine builds for ${platforms.join(', ')}; it needs ${buildx}an emulation of ${platform} (QEMU), as .github/workflows/release.yml sets up`;
}

export interface BuildImageOptions {
  workspace: string;
  engine: Engine;
  platform: string;
  tag: string;
  version: string;
  /** Seconds since 1970. */
  time: number;
}

/** Builds an image into the engine; Docker's output goes to standard output. */
export async function buildImage(options: BuildImageOptions): Promise<void> {
  const { workspace, engine, platform, tag, version, time } = options;
  const [first = 'build', ...rest] = buildArguments({ tag, network: 'host' }, version);
  const args = engine.hasBuildx
    ? ['buildx', first, '--load', '--platform', platform, ...rest]
    : [first, ...rest];
  const child = spawn('docker', args, {
    cwd: workspace,
    env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  child.stdin.end(readDockerfile(workspace, engine.base));
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) throw new OperatorError(`the image for ${platform} could not be built`);
}

/** Runs in the image: prints its Node version and the npm packages of the base, including npm itself. */
const listBase = `
const { globSync, readFileSync } = require('node:fs');
const files = globSync('/{usr/local/lib,opt}/**/package.json');
const manifests = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
const named = manifests.filter(({ name, version }) => name && version);
const found = new Set(named.map(({ name, version }) => name + '@' + version));
console.log(JSON.stringify({ node: process.versions.node, npm: [...found].sort() }));`;

/** Lists the content of an image; pulls an image that is not in the engine. */
export async function contentOf(image: string, platform: string): Promise<ImageContent> {
  const start = ['run', '--rm', '--platform', platform, '--network', 'none', '--entrypoint'];
  const line = '${Package}\\t${Version}\\t${Architecture}\\n';
  const list = ['dpkg-query', image, '--show', `--showformat=${line}`];
  const debian = (await run('docker', [...start, ...list])).trim().split('\n');
  const base = await run('docker', [...start, 'node', image, '--eval', listBase]);
  const { node, npm } = JSON.parse(base) as { node: string; npm: string[] };
  return {
    platform,
    node,
    npm,
    debian: debian.map((text) => {
      const [name = '', version = '', architecture = ''] = text.split('\t');
      return { name, version, architecture };
    }),
  };
}
