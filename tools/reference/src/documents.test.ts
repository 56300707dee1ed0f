import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestDurationBounds } from '@engawa/http';
import { referenceDocuments } from './documents.ts';

const folder = join(__dirname, '../../../docs/reference');

describe('docs/reference is up to date', () => {
  it.each([...referenceDocuments()])('in %s (else: npm run reference)', (name, content) => {
    expect(readFileSync(join(folder, name), 'utf8')).toBe(content);
  });
});

it('the chart takes the bounds of request durations as latency targets, and no others', () => {
  const file = join(__dirname, '../../../charts/engawa/values.schema.json');
  const properties = (schema: unknown, name: string) =>
    (schema as { properties: Record<string, unknown> }).properties[name];
  const path = ['monitoring', 'slo', 'latency', 'seconds'];
  const seconds = path.reduce<unknown>(properties, JSON.parse(readFileSync(file, 'utf8')));
  expect(seconds).toEqual({ enum: requestDurationBounds });
});
