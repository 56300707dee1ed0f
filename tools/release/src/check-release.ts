import { checkChangelog } from './checks/check-changelog.ts';
import { checkChart } from './checks/check-chart.ts';
import { checkDocuments } from './checks/check-documents.ts';
import { checkImage } from './checks/check-image.ts';
import { checkManifests } from './checks/check-manifests.ts';
import { checkReleasedChanges } from './checks/check-released-changes.ts';
import { checkTag } from './checks/check-tag.ts';
import type { Finding } from './finding.ts';
import type { Repository } from './repository.ts';

/**
 * Differences between version, chart, image, documents and changelog.
 * @param tag of a release, `v1.2.3`, when one is about to be published
 * @returns an empty list if there are none
 */
export function checkRelease(repository: Repository, tag?: string): Finding[] {
  return [
    ...checkManifests(repository),
    ...checkChart(repository),
    ...checkImage(repository),
    ...checkDocuments(repository),
    ...checkChangelog(repository),
    ...checkReleasedChanges(repository),
    ...(tag === undefined ? [] : checkTag(repository, tag)),
  ];
}
