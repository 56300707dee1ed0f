import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseChangelog } from '../changelog.ts';
import type { Repository } from '../repository.ts';
import { digestOf } from './archive.ts';
import { npmSbom, imageSbom } from './sbom.ts';
import type { Sbom } from './sbom.ts';
import type { Commit } from './commit.ts';
import { buildImage, contentOf, findEngine, unsupportedReason } from './engine.ts';
import { packageChart } from './package-chart.ts';
import { run } from './run.ts';
import { ReleaseFolder } from './release-folder.ts';
import { step } from './steps.ts';

export interface BuildReleaseOptions {
  commit: Commit;
  /** Output folder, such as `dist/release`. */
  target: string;
  /** Name of the image that the chart runs, without a tag. */
  image: string;
  /** Address of the published repository; undefined when there is none. */
  address: string | undefined;
  platforms: string[];
  /** `build` images with their SBOMs, generate SBOMs of the `published` one, or neither. */
  images: 'build' | 'published' | 'none';
  print: (line: string) => void;
}

/** An artifact that could not be built on this machine. */
export interface OmittedPart {
  what: string;
  why: string;
}

/**
 * Builds the release artifacts that this machine can build; on any failure the former release is
 * kept.
 * @returns the omitted artifacts
 */
export async function buildRelease(
  repository: Repository,
  options: BuildReleaseOptions,
): Promise<OmittedPart[]> {
  const folder = new ReleaseFolder(options.target);
  try {
    const leftOut = await fill(repository, options, folder);
    folder.publish();
    return leftOut;
  } finally {
    folder.discard();
  }
}

async function fill(
  repository: Repository,
  options: BuildReleaseOptions,
  { files, work }: ReleaseFolder,
): Promise<OmittedPart[]> {
  const { commit, image, address, print } = options;
  const { version } = repository;
  const subfolder = (name: string): string => {
    mkdirSync(join(work, name));
    return join(work, name);
  };
  const chart = { target: files, work: subfolder('chart'), time: commit.time, image, address };
  await step('packaging the chart', () => packageChart(repository, chart), print);
  const sbom = await step(
    'generating the SBOM of npm packages',
    () => npmSbom(repository, subfolder('engawa'), commit.time),
    print,
  );
  writeJson(join(files, `engawa-${version}-npm.cdx.json`), sbom);
  const leftOut = await addImages(repository, options, files, sbom);
  writeFileSync(join(files, 'RELEASE_NOTES.md'), notesOf(repository));
  writeJson(join(files, 'release.json'), { version, ...commit, image, leftOut });
  const sums = await step('computing the checksums', () => checksums(files), print);
  writeFileSync(join(files, 'SHA256SUMS'), sums);
  return leftOut;
}

async function addImages(
  repository: Repository,
  options: BuildReleaseOptions,
  files: string,
  sbom: Sbom,
): Promise<OmittedPart[]> {
  const { image, images, platforms, commit, print } = options;
  const { folder: workspace, version } = repository;
  const each = (why: string) => platforms.map((platform) => ({ what: `image ${platform}`, why }));
  if (images === 'none') return each('--images none');
  const nameOf = (platform: string) => `engawa-${version}-image-${platform.replace('/', '-')}`;
  const list = async (reference: string, platform: string): Promise<void> => {
    const content = await contentOf(reference, platform);
    const file = join(files, `${nameOf(platform)}.cdx.json`);
    writeJson(file, imageSbom(sbom, content, commit.time));
  };
  const tag = `${image}:${version}`;
  if (images === 'published') {
    for (const platform of platforms) {
      await step(`generating the SBOM of ${tag} (${platform})`, () => list(tag, platform), print);
    }
    return [];
  }
  const engine = await step('looking for a Docker engine', () => findEngine(workspace), print);
  if (typeof engine === 'string') return each(engine);
  const leftOut: OmittedPart[] = [];
  if (!engine.isPinned) {
    const why = `the images are built on ${engine.base} of this machine: do not publish them`;
    leftOut.push({ what: 'the pinned base', why });
  }
  for (const platform of platforms) {
    const why = unsupportedReason(engine, platform);
    if (why !== undefined) {
      leftOut.push({ what: `image ${platform}`, why });
      continue;
    }
    const build = { workspace, engine, platform, tag, version, time: commit.time };
    await step(`building the image for ${platform}`, () => buildImage(build), print);
    await step(
      `generating the SBOM of the image for ${platform}`,
      () => list(tag, platform),
      print,
    );
    const save = ['save', '--output', join(files, `${nameOf(platform)}.tar`), tag];
    await step(`saving the image for ${platform}`, () => run('docker', save), print);
  }
  return leftOut;
}

/** The changelog's section of the version, which is the text of its release. */
function notesOf(repository: Repository): string {
  const sections = parseChangelog(repository.read('CHANGELOG.md'));
  return `${sections.find(({ name }) => name === repository.version)?.text ?? ''}\n`;
}

/** In the format of `sha256sum --check`. */
async function checksums(folder: string): Promise<string> {
  let lines = '';
  for (const name of readdirSync(folder).sort()) {
    lines += `${await digestOf(join(folder, name))}  ${name}\n`;
  }
  return lines;
}

function writeJson(file: string, content: unknown): void {
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
}
