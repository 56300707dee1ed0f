import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { chartFolder } from '../src/chart-folder.ts';
import { documentedValues } from '../src/documented-values.ts';
import { generatedFiles } from '../src/generated-files.ts';
import { chartReadme, valuesFile } from '../src/readme.ts';
import { valuesSchema } from '../src/values-schema.ts';

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
  it.each([...generatedFiles()])('has a current %s (else: npm run chart)', (name, content) => {
    expect(readFileSync(join(chartFolder, name), 'utf8')).toBe(content);
  });
});

describe('the schema of values', () => {
  const schema = valuesSchema(`
defaults:
  # @schema { allWorkloads: true, nullable: true }
  labels: {}
  scaling: { enabled: false }
# @schema { overrides: service }
ingestion: { scaling: { messages: 5 } }
# @schema { overrides: service }
registry: { enabled: true }
# @schema { overrides: service }
query: { enabled: true }
# @schema { overrides: service }
catalog: { enabled: true }
# @schema { overrides: service }
console: { enabled: false }
# @schema { overrides: task }
test:
  # @schema { enum: [all, one] }
  scope: all
# @schema { minimum: 1, maximum: 9 }
count: 3
# @schema { $ref: '#/definitions/httpUrl' }
url: ''
name: ''
peers: []
`) as { properties: Record<string, { properties?: Record<string, unknown> }> };
  const { properties } = schema;
  const defaultOf = (name: string) => ({ $ref: `#/properties/defaults/properties/${name}` });

  it('is generated from default values and their comments', () => {
    expect(properties).toMatchObject({
      count: { type: 'integer', minimum: 1, maximum: 9 },
      url: { $ref: '#/definitions/httpUrl' },
      name: { type: 'string' },
      peers: { type: 'array', items: { type: 'object' } },
    });
    expect(properties['test']?.properties?.['scope']).toEqual({ enum: ['all', 'one'] });
    expect(properties['defaults']?.properties?.['labels']).toEqual({
      type: ['object', 'null'],
      additionalProperties: { type: 'string' },
    });
  });

  it('has the defaults of all workloads for tasks, and all defaults for services', () => {
    expect(Object.keys(properties['test']?.properties ?? {})).toEqual(['scope', 'labels']);
    expect(properties['query']?.properties).toMatchObject({
      labels: defaultOf('labels'),
      scaling: defaultOf('scaling'),
    });
    const scaling = { properties: { enabled: { type: 'boolean' }, messages: { minimum: 0 } } };
    expect(properties['ingestion']?.properties).toMatchObject({ scaling });
  });
});

describe('the README of the chart', () => {
  it('has a row for each value', () => {
    expect(documentedValues(valuesFile()).undocumented).toEqual([]);
  });

  it('links to existing files', () => {
    const links = [...chartReadme().matchAll(/\]\((\.\.\/[\w./-]+)\)/g)];
    const files = links.map(([, path = '']) => join(chartFolder, path));
    expect(files.length).toBeGreaterThan(1);
    expect(files.map((file) => readFileSync(file, 'utf8').length > 0)).not.toContain(false);
  });
});

describe('the comments of values', () => {
  it('become rows with their default values', () => {
    expect(documentedValues(valuesText).rows).toEqual([
      { path: 'one', default: '1', description: 'One.' },
      { path: 'group.first', default: '""', description: 'The first, in two lines.' },
      { path: 'whole', default: '{"part":[1]}', description: 'As a whole.' },
    ]);
  });

  it('are reported when they are missing', () => {
    expect(documentedValues(valuesText).undocumented).toEqual([
      'group.second',
      'group.inside.deep',
    ]);
  });

  it('keep every default value', () => {
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
