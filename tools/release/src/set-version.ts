import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentFiles, namedVersions } from './checks/check-documents.ts';
import { fingerprintsFile, withFingerprint } from './released-changes.ts';
import type { Repository } from './repository.ts';

/**
 * Writes a version to manifests, lock file, chart and documents, and moves the changelog's
 * unreleased changes to it, whose fingerprint it records. Idempotent.
 * @param date of the release, `2026-11-21`
 * @returns the changed files
 */
export function setVersion(repository: Repository, version: string, date: string): string[] {
  const changed: string[] = [];
  const rewrite = (file: string, change: (text: string) => string): void => {
    const text = repository.read(file);
    const wanted = change(text);
    if (wanted === text) return;
    writeFileSync(join(repository.folder, file), wanted);
    changed.push(file);
  };
  // Read before the manifests change, since they contain the former version.
  const documents = documentFiles(repository);
  for (const file of ['package.json', ...repository.files('{apps,libs,tools}/*/package.json')]) {
    rewrite(file, (text) => text.replace(/^ {2}"version": ".*",$/m, `  "version": "${version}",`));
  }
  rewrite('package-lock.json', (text) => inLock(text, version));
  rewrite('charts/engawa/Chart.yaml', (text) => inChart(text, version));
  for (const file of documents) rewrite(file, (text) => inDocument(text, version));
  rewrite('CHANGELOG.md', (text) => inChangelog(text, version, date));
  const changelog = repository.read('CHANGELOG.md');
  rewrite(fingerprintsFile, (text) => withFingerprint(text, changelog, version));
  return changed;
}

interface Lock {
  version?: string;
  packages: Record<string, { version?: string }>;
}

function inLock(text: string, version: string): string {
  const lock = JSON.parse(text) as Lock;
  lock.version = version;
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (place === '' || /^(apps|libs|tools)\/[^/]+$/.test(place)) entry.version = version;
  }
  return `${JSON.stringify(lock, undefined, 2)}\n`;
}

function inChart(text: string, version: string): string {
  return text.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`);
}

function inDocument(text: string, version: string): string {
  return namedVersions.reduce((all, pattern) => all.replace(pattern, `$<before>${version}`), text);
}

/** Moves unreleased changes to the release, unless the changelog has a section for it. */
function inChangelog(text: string, version: string, date: string): string {
  if (text.includes(`## [${version}]`)) return text;
  return text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${date}\n`);
}
