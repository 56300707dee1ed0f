import { checkChangelog } from './checks/check-changelog.ts';
import { checkChart } from './checks/check-chart.ts';
import { checkDocuments } from './checks/check-documents.ts';
import { checkImage } from './checks/check-image.ts';
import { checkManifests } from './checks/check-manifests.ts';
import { checkTag } from './checks/check-tag.ts';
import type { Finding } from './finding.ts';
import type { Repository } from './repository.ts';

/**
 * Disagreements between version, chart, image, documents and changelog.
 * @param tag of a release, `v1.2.3`, where one is about to be published
 * @returns none where everything agrees
 */
export function checkRelease(repository: Repository, tag?: string): Finding[] {
  return [
    ...checkManifests(repository),
    ...checkChart(repository),
    ...checkImage(repository),
    ...checkDocuments(repository),
    ...checkChangelog(repository),
    ...(tag === undefined ? [] : checkTag(repository, tag)),
  ];
}
