import type { Finding } from '../finding.ts';
import { lineAt } from '../repository.ts';
import type { Repository } from '../repository.ts';

/** Patterns of this release's version in documents: the image's tag and the chart's version. */
export const namedVersions = [
  /(?<before>\bengawa:)(?<version>\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)/g,
  /(?<before>\bengawa\b.*\btag: ['"]?)(?<version>\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)/g,
  /(?<before>charts\/engawa.* --version )(?<version>\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)/g,
];

/**
 * Documents with instructions for this release. History (changelog, decisions, upgrades,
 * measurements) names older ones.
 */
export function documentFiles(repository: Repository): string[] {
  const all = ['*.md', 'docs/*.md', 'docs/runbooks/*.md', '{apps,libs,tools,charts}/*/README.md'];
  const history = ['CHANGELOG.md', 'docs/upgrading.md'];
  return repository.files(...all).filter((file) => !history.includes(file));
}

/** Checks that documents name the image and chart of this version, and that the upgrade to it is documented. */
export function checkDocuments(repository: Repository): Finding[] {
  const { version } = repository;
  const findings = documentFiles(repository).flatMap((where) => {
    const text = repository.read(where);
    return namedVersions
      .flatMap((pattern) => [...text.matchAll(pattern)])
      .filter((match) => match.groups?.['version'] !== version)
      .map((match) => ({
        where: `${where}:${lineAt(text, match.index)}`,
        problem: `it names ${match[0]}, the version is ${version}`,
        remedy: 'npm run release:version -- VERSION writes it everywhere',
      }));
  });
  const upgrades = repository.read('docs/upgrading.md');
  if (!new RegExp(`^## .*\\bto ${version.replaceAll('.', '\\.')}$`, 'm').test(upgrades)) {
    findings.push({
      where: 'docs/upgrading.md',
      problem: `no section tells how to get to ${version}`,
      remedy: `add "## From … to ${version}": what an operator and a client have to change, or that there is nothing`,
    });
  }
  return findings;
}
