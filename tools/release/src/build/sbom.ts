import { createHash } from 'node:crypto';
import { buildManifests } from '@engawa/image/build-manifests';
import type { Repository } from '../repository.ts';
import { run } from './run.ts';

/** The used fields of a CycloneDX document (https://cyclonedx.org/docs/1.5/json/). */
export interface Sbom {
  serialNumber?: string;
  metadata: { timestamp: string; component?: Component; [more: string]: unknown };
  components: Component[];
  dependencies?: { ref: string; dependsOn?: string[] }[];
  [more: string]: unknown;
}

export interface Component {
  'bom-ref'?: string;
  type: string;
  name: string;
  version: string;
  purl?: string;
  [more: string]: unknown;
}

/**
 * SBOM of the packages that npm installs into the image, from the image's lock file.
 * @param work an empty folder
 * @param time of the document, in seconds since 1970
 * @throws OperatorError when npm has no `sbom`
 */
export async function npmSbom({ folder }: Repository, work: string, time: number): Promise<Sbom> {
  buildManifests({ workspace: folder, target: work });
  const options = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const text = await run('npm', ['sbom', ...options, '--loglevel=error'], { cwd: work });
  return stable(JSON.parse(text) as Sbom, time);
}

/** SBOM of an image: the npm packages, and from its base the Debian packages, Node, and npm with its dependencies. */
export function imageSbom(
  sbom: Sbom,
  { debian, node, npm, platform }: ImageContent,
  time: number,
): Sbom {
  const system = debian.map(({ name, version, architecture }) => {
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`;
    return component('library', name, version, purl);
  });
  const tools = npm.map((text) => {
    const [name, version] = [text.slice(0, text.lastIndexOf('@')), text.split('@').at(-1) ?? ''];
    return component('library', name, version, `pkg:npm/${name.replace('@', '%40')}@${version}`);
  });
  const known = new Set(sbom.components.map(({ purl }) => purl));
  const components = [
    ...sbom.components,
    component('platform', 'node', node, `pkg:generic/node@${node}`),
    ...system,
    ...tools.filter(({ purl }) => !known.has(purl)),
  ];
  const properties = [{ name: 'engawa:platform', value: platform }];
  return stable({ ...sbom, components, metadata: { ...sbom.metadata, properties } }, time);
}

function component(type: string, name: string, version: string, purl: string): Component {
  return { 'bom-ref': purl, type, name, version, purl };
}

/** Content of the base of an image. */
export interface ImageContent {
  /** `linux/amd64` */
  platform: string;
  /** Version of Node, without a v. */
  node: string;
  /** Packages of npm with their versions, `npm@11.6.0`. */
  npm: string[];
  debian: { name: string; version: string; architecture: string }[];
}

/** Sorted, with the commit's time, and with a serial number derived from the content instead of a random one. */
function stable(sbom: Sbom, time: number): Sbom {
  const timestamp = new Date(time * 1000).toISOString();
  const refOf = (component: Component): string => component['bom-ref'] ?? component.name;
  const sorted: Sbom = {
    ...sbom,
    serialNumber: '',
    metadata: { ...sbom.metadata, timestamp },
    components: sbom.components.toSorted((a, b) => (refOf(a) < refOf(b) ? -1 : 1)),
    ...(sbom.dependencies && {
      dependencies: sbom.dependencies.toSorted((a, b) => (a.ref < b.ref ? -1 : 1)),
    }),
  };
  const digest = createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
  // A UUID of version 8 (RFC 9562, section 5.8): its bits are ours to choose.
  const uuid = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  return { ...sorted, serialNumber: `urn:uuid:${uuid}` };
}
