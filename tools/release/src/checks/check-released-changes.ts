import { parseChangelog } from '../changelog.ts';
import {
  fingerprintOf,
  fingerprintsFile,
  recordedFingerprints,
  taggedFingerprint,
} from '../released-changes.ts';
import type { Section } from '../changelog.ts';
import type { Finding } from '../finding.ts';
import type { Repository } from '../repository.ts';

/**
 * The changes of a released version stay as they were released: those of its tag. Where this checkout has no tag of the
 * version (it was never tagged, or the clone is shallow), those that `npm run release:version` recorded.
 */
export function checkReleasedChanges(repository: Repository): Finding[] {
  const recorded = recordedFingerprints(repository);
  return parseChangelog(repository.read('CHANGELOG.md'))
    .filter(({ name }) => name !== 'Unreleased')
    .flatMap((section) => checkSection(repository, section, recorded[section.name]));
}

function checkSection(
  repository: Repository,
  section: Section,
  recorded: string | undefined,
): Finding[] {
  const { name, line } = section;
  const tagged = taggedFingerprint(repository, name);
  const expected = tagged ?? recorded;
  if (expected === undefined) {
    const problem = `it has no fingerprint of the changes of ${name}`;
    const remedy = `npm run release:version -- ${name} records it`;
    return [{ where: fingerprintsFile, problem, remedy }];
  }
  if (fingerprintOf(section) === expected) return [];
  const source = tagged === undefined ? fingerprintsFile : `the tag v${name}`;
  return [
    {
      where: `CHANGELOG.md:${line}`,
      problem: `the changes of ${name} differ from those of its release (${source})`,
      remedy: remedyOf(name, tagged !== undefined),
    },
  ];
}

function remedyOf(name: string, isTagged: boolean): string {
  const move = 'put new changes below "## [Unreleased]"';
  if (isTagged) return `${move}, and restore the others`;
  return `${move}; if ${name} is not published yet, npm run release:version -- ${name} records them`;
}
