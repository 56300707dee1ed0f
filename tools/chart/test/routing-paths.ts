import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartFolder } from '../src/chart-folder.ts';

interface Route {
  service: string;
  matches: { type: 'Exact' | 'PathPrefix' | 'RegularExpression'; value: string }[];
}

/** The routing table of the chart. */
export const routes = JSON.parse(
  readFileSync(join(chartFolder, 'files/routes.json'), 'utf8'),
) as Route[];

/** Paths that a match of the routing table has. */
export function pathsOf({ type, value }: Route['matches'][number]): string[] {
  const path = value.replace(/^\^/, '').replace(/\$$/, '').replaceAll('[^/]+', 'a.b-1');
  return type === 'PathPrefix' ? [path, `${path}/a`, `${path}/a/b%2Fc/d/latest`] : [path];
}
