import { parseDocument, stringify } from 'yaml';
import { parseChangelog } from '../changelog.ts';
import type { Repository } from '../repository.ts';

export interface ChartMetadataOptions {
  /** Address of the published repository; undefined when there is none. */
  address: string | undefined;
  /** Name of the image without a tag. */
  image: string;
}

/** Kinds of changes as Artifact Hub calls them: https://artifacthub.io/docs/topics/annotations/helm/ */
const kinds = new Set(['added', 'changed', 'deprecated', 'removed', 'fixed', 'security']);

/** Chart.yaml of the package: with data from the rest of the repository, and the address of publication. */
export function chartMetadata(
  repository: Repository,
  { address, image }: ChartMetadataOptions,
): string {
  const chart = parseDocument(repository.read('charts/engawa/Chart.yaml'));
  const { version } = repository;
  if (address !== undefined) {
    chart.set('home', address);
    chart.set('sources', chart.createNode([address]));
  }
  const annotate = (name: string, value: unknown): void =>
    chart.setIn(['annotations', `artifacthub.io/${name}`], stringify(value, { lineWidth: 0 }));
  annotate('changes', changesOf(repository));
  annotate('images', [
    { name: 'engawa', image: `${image}:${version}`, platforms: ['linux/amd64', 'linux/arm64'] },
  ]);
  chart.setIn(['annotations', 'artifacthub.io/prerelease'], String(version.includes('-')));
  if (address !== undefined) {
    const [blob, issues] = [`${address}/blob/v${version}`, `${address}/issues`];
    annotate('links', [
      { name: 'upgrading', url: `${blob}/docs/upgrading.md` },
      { name: 'support', url: issues },
    ]);
  }
  return chart.toString({ lineWidth: 0 });
}

function changesOf(repository: Repository): { kind: string; description: string }[] {
  const sections = parseChangelog(repository.read('CHANGELOG.md'));
  const release = sections.find(({ name }) => name === repository.version);
  return (release?.changes ?? [])
    .map(({ category, text }) => ({ kind: category.toLowerCase(), description: text }))
    .filter(({ kind }) => kinds.has(kind));
}

/** values.yaml of the package, with the name of the published image. */
export function chartValues(repository: Repository, image: string): string {
  const values = parseDocument(repository.read('charts/engawa/values.yaml'));
  const [registry = '', ...rest] = image.split('/');
  if (values.hasIn(['image', 'registry']) && rest.length > 0) {
    values.setIn(['image', 'registry'], registry);
    values.setIn(['image', 'repository'], rest.join('/'));
  } else values.setIn(['image', 'repository'], image);
  return values.toString({ lineWidth: 0 });
}
