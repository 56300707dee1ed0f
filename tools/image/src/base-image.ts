import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `tools/image/base-image.sh` makes where no registry of images can be reached. */
export const localBase = 'node:24-bookworm-slim';

const firstStage = /^FROM (?<image>\S+) AS base$/m;

/** The base that the Dockerfile pins by its digest. @throws Error where it pins none */
export function pinnedBase(dockerfile: string): string {
  const image = firstStage.exec(dockerfile)?.groups?.['image'];
  if (image === undefined) throw new Error('the Dockerfile has no line "FROM … AS base"');
  return image;
}

/** The Dockerfile on another base. */
export function onBase(dockerfile: string, base: string): string {
  return dockerfile.replace(pinnedBase(dockerfile), base);
}

/**
 * The Dockerfile of the repository on this base, or as it is. What it copies is relative to the
 * folder it is built in.
 */
export function readDockerfile(workspace: string, base?: string): string {
  const dockerfile = readFileSync(join(workspace, 'Dockerfile'), 'utf8');
  return base === undefined ? dockerfile : onBase(dockerfile, base);
}

/**
 * The base that can be built on: the pinned one where the engine has it or can fetch it, else the local one.
 * @returns `undefined` where there is neither
 */
export function availableBase(workspace: string): string | undefined {
  const pinned = pinnedBase(readDockerfile(workspace));
  if (docker('image', 'inspect', pinned) || docker('pull', '--quiet', pinned)) return pinned;
  return docker('image', 'inspect', localBase) ? localBase : undefined;
}

/** @returns whether the Docker client exited with 0; pulling may take three minutes */
function docker(...args: string[]): boolean {
  return spawnSync('docker', args, { stdio: 'ignore', timeout: 180_000 }).status === 0;
}
