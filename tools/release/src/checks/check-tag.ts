import { parseChangelog } from '../changelog.ts';
import type { Finding } from '../finding.ts';
import type { Repository } from '../repository.ts';

/** Checks that a tag equals the version, and that the changelog has no unreleased changes. */
export function checkTag(repository: Repository, tag: string): Finding[] {
  const { version } = repository;
  const findings: Finding[] = [];
  if (tag !== `v${version}`) {
    findings.push({
      where: `the tag ${tag}`,
      problem: `it is not v${version}, and the version is ${version}`,
      remedy: `delete the tag, and tag the commit that has the version that you mean`,
    });
  }
  const [unreleased] = parseChangelog(repository.read('CHANGELOG.md'));
  if (unreleased?.name === 'Unreleased' && unreleased.changes.length > 0) {
    findings.push({
      where: `CHANGELOG.md:${unreleased.line}`,
      problem: `there are changes below Unreleased, which the release of ${version} would not name`,
      remedy: `move them below "## [${version}]"`,
    });
  }
  return findings;
}
