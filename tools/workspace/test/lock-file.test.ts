import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface LockedPackage {
  integrity?: string;
  resolved?: string;
  /** Whether it is a project of the workspace. */
  link?: boolean;
}

const file = resolve(__dirname, '../../../package-lock.json');
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);
const pathsWhere = (isOne: (locked: LockedPackage) => boolean): string[] =>
  installed.filter(([, locked]) => isOne(locked)).map(([path]) => path);

describe('package-lock.json', () => {
  it('has the hash of every package, so that no registry can substitute another file', () => {
    expect(installed.length).toBeGreaterThan(500);
    expect(pathsWhere(({ integrity }) => integrity?.startsWith('sha512-') !== true)).toEqual([]);
  });

  it('names no registry: npm uses the one of its settings', () => {
    expect(pathsWhere(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});
