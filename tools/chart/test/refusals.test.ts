import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartFolder } from '../src/chart-folder.ts';
import { HelmRefusal, render } from '../src/helm.ts';
import { describeWithHelm } from './describe-with-helm.ts';
import { impossible, valuesOf, wrongValues } from './refusals.ts';
import type { WrongValue } from './refusals.ts';
import type { Refusal } from './refusal.ts';

/** Helm's error; empty when it accepts the values. */
function refusalOf(refusal: Refusal | WrongValue): string {
  try {
    render({ values: valuesOf(refusal) });
    return '';
  } catch (error) {
    if (error instanceof HelmRefusal) return error.message;
    throw error;
  }
}

/** The error messages of templates, as patterns with wildcards for inserted values. */
function sentences(): RegExp[] {
  const files = globSync('templates/**/*', { cwd: chartFolder, withFileTypes: true }).filter(
    (entry) => entry.isFile(),
  );
  return files.flatMap(({ parentPath, name }) => {
    const text = readFileSync(join(parentPath, name), 'utf8');
    return [...text.matchAll(/\bfail (?:\(printf )?"(.+?)"(?: |\))/g)].map(([, sentence = '']) => {
      const parts = sentence
        .split(/%[sd]/)
        .map((part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'));
      return new RegExp(parts.join('.*'));
    });
  });
}

describeWithHelm('the chart rejects', () => {
  const wrong = wrongValues.map(([values, path, name = '']) => [values, path, name] as const);
  it.each(wrong)('%j: %s %s', (values, path, unknown) => {
    const said = refusalOf([values, path]);
    expect(said).toContain("values don't meet the specifications of the schema");
    expect(said).toMatch(new RegExp(path.replaceAll('.', '[./]')));
    expect(said).toMatch(new RegExp(`\\b${unknown}\\b`));
  });

  const said = impossible.map(refusalOf);
  it.each(impossible.map(([values, says], index) => [values, says, said[index] ?? ''] as const))(
    '%j, which is contradictory',
    (_, says, message) => {
      expect(message).toContain('execution error at (engawa/templates/workloads.yaml');
      expect(message).toContain(says);
    },
  );

  it('no other values: each error message of the templates occurs in a test above', () => {
    const unsaid = sentences().filter(
      (sentence) => !said.some((message) => sentence.test(message)),
    );
    expect(unsaid).toEqual([]);
    expect(sentences().length).toBeGreaterThan(10);
  });
});
