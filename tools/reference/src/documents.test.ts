import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceDocuments } from './documents.ts';

const folder = join(__dirname, '../../../docs/reference');

describe('docs/reference says what the code does', () => {
  it.each([...referenceDocuments()])('in %s (else: npm run reference)', (name, content) => {
    expect(readFileSync(join(folder, name), 'utf8')).toBe(content);
  });
});
