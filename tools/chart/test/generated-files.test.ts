import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { chartFolder } from '../src/chart-folder.ts';
import { documentedValues } from '../src/documented-values.ts';
import { generatedFiles } from '../src/generated-files.ts';
import { chartReadme, valuesFile } from '../src/readme.ts';

const valuesText = `
# -- One.
one: 1
# A word on all of them.
group:
  # -- The first,
  # in two lines.
  first: ''
  second: 2
  inside: { deep: true }
# -- As a whole.
whole:
  part: [1]
`;

describe('the chart', () => {
  it.each([...generatedFiles()])('has the %s of now (else: npm run chart)', (name, content) => {
    expect(readFileSync(join(chartFolder, name), 'utf8')).toBe(content);
  });
});

describe('the README of the chart', () => {
  it('has a row for each value', () => {
    expect(documentedValues(valuesFile()).undocumented).toEqual([]);
  });

  it('leads to files that are there', () => {
    const links = [...chartReadme().matchAll(/\]\((\.\.\/[\w./-]+)\)/g)];
    const files = links.map(([, path = '']) => join(chartFolder, path));
    expect(files.length).toBeGreaterThan(1);
    expect(files.map((file) => readFileSync(file, 'utf8').length > 0)).not.toContain(false);
  });
});

describe('the comments of values', () => {
  it('become rows, with what stands there', () => {
    expect(documentedValues(valuesText).rows).toEqual([
      { path: 'one', default: '1', description: 'One.' },
      { path: 'group.first', default: '""', description: 'The first, in two lines.' },
      { path: 'whole', default: '{"part":[1]}', description: 'As a whole.' },
    ]);
  });

  it('are missed where there are none', () => {
    expect(documentedValues(valuesText).undocumented).toEqual([
      'group.second',
      'group.inside.deep',
    ]);
  });

  it('keep every value that there is', () => {
    const values = parse(valuesFile()) as Record<string, unknown>;
    const { rows } = documentedValues(valuesFile());
    const differing = rows.filter(({ path, default: written }) => {
      const value = path
        .split('.')
        .reduce<unknown>((place, key) => (place as Record<string, unknown>)[key], values);
      return JSON.stringify(value) !== written;
    });
    expect(differing).toEqual([]);
  });
});
