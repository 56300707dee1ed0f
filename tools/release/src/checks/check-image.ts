import type { Finding } from '../finding.ts';
import type { Repository } from '../repository.ts';

const where = 'Dockerfile';

/** Checks that the image has a base pinned by digest, the tested Node version, and a version label. */
export function checkImage(repository: Repository): Finding[] {
  const text = repository.read(where);
  return [...checkBases(text, testedNode(repository)), ...checkLabel(text)];
}

function checkBases(text: string, node: string | undefined): Finding[] {
  const stages = [...text.matchAll(/^FROM +(?<image>\S+)(?: +AS +(?<name>\S+))?/gim)];
  const names = new Set(stages.map(({ groups }) => groups?.['name']));
  const bases = stages.map(({ groups }) => groups?.['image'] ?? '').filter((x) => !names.has(x));
  if (bases.length === 0) return [{ where, problem: 'it has no FROM', remedy: 'name a base' }];
  return bases.flatMap((base) => {
    const tag = /^node:(?<version>\d+\.\d+\.\d+)-[^@]+@sha256:[0-9a-f]{64}$/.exec(base);
    if (tag === null) {
      const problem = `the base ${base} is not pinned`;
      return [{ where, problem, remedy: 'write it as node:VERSION-…@sha256:DIGEST' }];
    }
    if (tag.groups?.['version'] === node) return [];
    const problem = `the base has Node ${tag.groups?.['version'] ?? ''}, the tests run on ${node ?? 'none'} (package-lock.json)`;
    return [
      { where, problem, remedy: 'update the base, or the package node: npm install node@24' },
    ];
  });
}

function testedNode(repository: Repository): string | undefined {
  const { packages } = repository.readJson('package-lock.json') as {
    packages: Record<string, { version?: string }>;
  };
  return packages['node_modules/node']?.version;
}

function checkLabel(text: string): Finding[] {
  if (/^ARG VERSION\b/m.test(text) && text.includes('image.version="${VERSION}"')) return [];
  const problem = 'the image has no label org.opencontainers.image.version="${VERSION}"';
  return [{ where, problem, remedy: 'add ARG VERSION and the label' }];
}
