import { categories, parseChangelog } from '../changelog.ts';
import type { Section } from '../changelog.ts';
import type { Finding } from '../finding.ts';
import type { Repository } from '../repository.ts';

const file = 'CHANGELOG.md';

/** CHANGELOG.md has the form of keepachangelog.com, and its newest release is the version. */
export function checkChangelog(repository: Repository): Finding[] {
  const sections = parseChangelog(repository.read(file));
  const [unreleased, newest] = sections;
  const { version } = repository;
  if (unreleased?.name !== 'Unreleased') {
    const problem = 'the first section is not "## [Unreleased]"';
    return [{ where: file, problem, remedy: 'add it above the newest release' }];
  }
  const findings = sections.flatMap(checkSection);
  if (newest?.name !== version) {
    findings.unshift({
      where: newest === undefined ? file : `${file}:${newest.line}`,
      problem: `the newest release is ${newest?.name ?? 'missing'}, the version is ${version}`,
      remedy: `add "## [${version}] - YYYY-MM-DD" below "## [Unreleased]", as npm run release:version does`,
    });
  }
  return [...findings, ...checkOrder(sections.slice(1))];
}

function checkSection({ name, date, line, changes }: Section): Finding[] {
  const findings: Finding[] = [];
  const where = `${file}:${line}`;
  if (name !== 'Unreleased' && !isDate(date)) {
    const problem = `${name} has ${date === undefined ? 'no date' : `the date '${date}'`}`;
    findings.push({ where, problem, remedy: `write "## [${name}] - YYYY-MM-DD"` });
  }
  if (name !== 'Unreleased' && changes.length === 0) {
    findings.push({
      where,
      problem: `${name} has no changes`,
      remedy: 'say what changed, as "- …"',
    });
  }
  for (const { category, line: own } of changes) {
    if (categories.includes(category)) continue;
    findings.push({
      where: `${file}:${own}`,
      problem: category === '' ? 'a change has no category' : `there is no category '${category}'`,
      remedy: `put it below "### " and one of ${categories.join(', ')}`,
    });
  }
  return findings;
}

function isDate(text: string | undefined): boolean {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

function checkOrder(releases: readonly Section[]): Finding[] {
  return releases.flatMap(({ name, line }, index) => {
    const next = releases[index + 1];
    if (next === undefined || compareVersions(name, next.name) > 0) return [];
    const problem = `${name} stands above ${next.name}, which is not older`;
    return [{ where: `${file}:${line}`, problem, remedy: 'order the releases, the newest first' }];
  });
}

/** Compares versions without a suffix by https://semver.org; positive when the first is newer. */
export function compareVersions(one: string, other: string): number {
  const [numbers, others] = [one, other].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (numbers?.[index] ?? 0) - (others?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  // 1.0.0-rc.1 comes before 1.0.0.
  return Number(other.includes('-')) - Number(one.includes('-'));
}
