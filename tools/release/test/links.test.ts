import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspace } from './repository-copy.ts';

const files = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs/releasing.md',
  'docs/upgrading.md',
  'docs/adr/0056-one-version.md',
];

/** The id of a heading as GitHub generates it. */
function idOf(heading: string): string {
  const plain = heading.toLowerCase().replace(/[^\w\- ]/g, '');
  return plain.trim().replaceAll(' ', '-');
}

function leadsSomewhere(file: string, link: string): boolean {
  const [path = '', id] = link.split('#');
  const target = join(workspace, path === '' ? file : join(dirname(file), path));
  if (!existsSync(target)) return false;
  if (id === undefined) return true;
  const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm)];
  return headings.some(([, heading = '']) => idOf(heading) === id);
}

it.each(files)('every link of %s has an existing target', (file) => {
  const text = readFileSync(join(workspace, file), 'utf8');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const own = links.filter((link) => !/^https?:/.test(link));
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter((link) => !leadsSomewhere(file, link))).toEqual([]);
});
