import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspace } from './run.ts';

/** The content of a file that jest-summary.cjs or a project's own reporter writes; `skipped` has the names of tests. */
export interface Summary {
  passed: number;
  failed: number;
  skipped: string[];
  /** `message` has the first lines of the error, without colours. */
  failures: { name: string; message: string }[];
}

/** The file of each target, in the project's folder; also named in nx.json and the configurations of Jest. */
const files: Readonly<Record<string, string>> = {
  test: 'test-results.json',
  'test-browser': 'browser-test-results.json',
  'test-long': 'long-test-results.json',
};

/** Removes what an earlier run has left. */
export function removeSummaries(): void {
  for (const name of Object.values(files)) {
    for (const file of globSync(`{apps,libs,tools}/*/${name}`, { cwd: workspace })) {
      rmSync(join(workspace, file));
    }
  }
}

/**
 * Of every project that has the target, or only of `projects`; a project whose tests left no file
 * counts as one failure.
 */
export function readSummaries(target: string, projects: readonly string[]): Summary[] {
  const manifests = globSync('{apps,libs,tools}/*/package.json', { cwd: workspace });
  return manifests.flatMap((manifest) => {
    const { name, scripts = {} } = read(manifest) as {
      name: string;
      scripts?: Record<string, string>;
    };
    const isChosen = projects.length === 0 || projects.includes(name);
    if (scripts[target] === undefined || !isChosen) return [];
    const results = join(dirname(manifest), files[target] ?? '');
    if (existsSync(join(workspace, results))) return [read(results) as Summary];
    const failures = [{ name: `${name}: ${target}`, message: 'wrote no results' }];
    return [{ passed: 0, failed: 1, skipped: [], failures }];
  });
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(workspace, file), 'utf8'));
}
