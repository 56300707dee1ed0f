import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { parseChangelog } from './changelog.ts';
import type { Section } from './changelog.ts';
import type { Repository } from './repository.ts';

/** A fingerprint of the changes of each released version, by version. */
export const fingerprintsFile = 'tools/release/released-changes.json';

/** A hash of the changes with their categories, in any layout of lines. */
export function fingerprintOf({ changes }: Section): string {
  const listed = changes.map(({ category, text }) => [category, text]);
  return createHash('sha256').update(JSON.stringify(listed)).digest('hex');
}

export function recordedFingerprints(repository: Repository): Record<string, string> {
  const text = repository.read(fingerprintsFile);
  return text === '' ? {} : (JSON.parse(text) as Record<string, string>);
}

/** The text of `fingerprintsFile` with the fingerprint of a version in this changelog. */
export function withFingerprint(text: string, changelog: string, version: string): string {
  const section = parseChangelog(changelog).find(({ name }) => name === version);
  if (section === undefined) return text;
  const recorded = (text === '' ? {} : JSON.parse(text)) as Record<string, string>;
  const all = { ...recorded, [version]: fingerprintOf(section) };
  return `${JSON.stringify(all, undefined, 2)}\n`;
}

/** The fingerprint of a version in the commit of its tag; undefined where this checkout has no such tag. */
export function taggedFingerprint({ folder }: Repository, version: string): string | undefined {
  let changelog: string;
  try {
    changelog = execFileSync('git', ['show', `v${version}:./CHANGELOG.md`], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined; // no such tag, a shallow clone without tags, or no checkout
  }
  const section = parseChangelog(changelog).find(({ name }) => name === version);
  return section && fingerprintOf(section);
}
