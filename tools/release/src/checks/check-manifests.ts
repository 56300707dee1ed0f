import { dirname } from 'node:path';
import type { Finding } from '../finding.ts';
import type { Repository } from '../repository.ts';

interface Lock {
  version?: string;
  packages: Record<string, { version?: string }>;
}

const remedy = 'npm run release:version -- VERSION writes it everywhere';

/** Checks that every package of the workspace and package-lock.json have the version of the repository. */
export function checkManifests(repository: Repository): Finding[] {
  const { version } = repository;
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) {
    return [
      { where: 'package.json', problem: `'${version}' is no version of SemVer 2.0.0`, remedy },
    ];
  }
  const manifests = repository.files('{apps,libs,tools}/*/package.json');
  const differing = manifests.flatMap((where) => {
    const { version: own } = repository.readJson(where) as { version?: string };
    return own === version ? [] : [finding(where, own, version)];
  });
  return [...differing, ...checkLock(repository, manifests.map(dirname))];
}

function checkLock(repository: Repository, projects: readonly string[]): Finding[] {
  const { version } = repository;
  const lock = repository.readJson('package-lock.json') as Lock;
  const found = ['', ...projects].map((place) => [place, lock.packages[place]?.version] as const);
  return [['the repository', lock.version] as const, ...found]
    .filter(([, own]) => own !== version)
    .map(([place, own]) => finding(`package-lock.json (${place || 'the root'})`, own, version));
}

function finding(where: string, own: string | undefined, version: string): Finding {
  const has = own === undefined ? 'there is no version' : `the version is ${own}`;
  return { where, problem: `${has}, that of package.json is ${version}`, remedy };
}
