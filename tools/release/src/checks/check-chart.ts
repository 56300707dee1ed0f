import { parse } from 'yaml';
import type { Finding } from '../finding.ts';
import type { Repository } from '../repository.ts';

const file = 'charts/engawa/Chart.yaml';

interface Chart {
  version?: unknown;
  appVersion?: unknown;
  kubeVersion?: string;
  description?: string;
  keywords?: string[];
  maintainers?: { name?: string }[];
  annotations?: Record<string, string>;
  [more: string]: unknown;
}

/** Fields that `.github/workflows/release.yml` appends, from CHANGELOG.md and the names of repository and image. */
const writtenByRelease = [
  'home',
  'sources',
  'artifacthub.io/changes',
  'artifacthub.io/prerelease',
  'artifacthub.io/images',
  'artifacthub.io/links',
];

/** Checks the chart's version, appVersion, catalog metadata and the Kubernetes version that documents name. */
export function checkChart(repository: Repository): Finding[] {
  const chart = (parse(repository.read(file)) ?? {}) as Chart;
  return [
    ...versions(chart, repository.version),
    ...metadata(chart, repository),
    ...kubernetes(chart, repository),
    ...defaultImage(repository),
  ];
}

function versions(chart: Chart, version: string): Finding[] {
  return (['version', 'appVersion'] as const).flatMap((key) => {
    if (chart[key] === version) return [];
    const problem = `${key} is ${String(chart[key])}, the version is ${version}`;
    return [
      { where: file, problem, remedy: 'npm run release:version -- VERSION writes it everywhere' },
    ];
  });
}

function metadata(chart: Chart, { manifest }: Repository): Finding[] {
  const findings: Finding[] = [];
  const missing = (key: string): void => {
    findings.push({ where: file, problem: `${key} is missing`, remedy: `give the chart ${key}` });
  };
  if ((chart.description ?? '') === '') missing('description');
  if ((chart.keywords ?? []).length === 0) missing('keywords');
  if (chart.maintainers?.[0]?.name === undefined) missing('maintainers, with a name each');
  const license = chart.annotations?.['artifacthub.io/license'];
  if (license !== manifest.license) {
    const problem = `artifacthub.io/license is ${String(license)}, that of package.json is ${manifest.license}`;
    findings.push({ where: file, problem, remedy: 'write the license of package.json' });
  }
  const given = { ...chart, ...chart.annotations };
  for (const key of writtenByRelease.filter((name) => given[name] !== undefined)) {
    const remedy = 'remove it: .github/workflows/release.yml writes it into the package';
    findings.push({ where: file, problem: `${key} is written by hand`, remedy });
  }
  return findings;
}

function kubernetes({ kubeVersion = '' }: Chart, repository: Repository): Finding[] {
  const oldest = /^>=(\d+\.\d+)\.\d/.exec(kubeVersion)?.[1];
  const named = /Kubernetes \((\d+\.\d+) or newer\)/.exec(repository.read('docs/deploy.md'))?.[1];
  if (oldest !== undefined && oldest === named) return [];
  return [
    {
      where: file,
      problem: `kubeVersion is '${kubeVersion}', docs/deploy.md says Kubernetes (${named ?? '?'} or newer)`,
      remedy: 'write the same into both',
    },
  ];
}

/** The tag of the image is empty, so that it follows `appVersion`. */
function defaultImage(repository: Repository): Finding[] {
  const where = 'charts/engawa/values.yaml';
  const { image } = (parse(repository.read(where)) ?? {}) as { image?: Record<string, unknown> };
  return ['tag', 'digest'].flatMap((key) => {
    if (image?.[key] === '') return [];
    const problem = `image.${key} is ${JSON.stringify(image?.[key])}`;
    return [
      { where, problem, remedy: "make it '': the image's tag is the appVersion of the chart" },
    ];
  });
}
