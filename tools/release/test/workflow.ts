import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { workspace } from './repository-copy.ts';

export interface Step {
  id?: string;
  name?: string;
  uses?: string;
  run?: string;
  'working-directory'?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
}

export interface Job {
  needs?: string | string[];
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
  uses?: string;
  outputs?: Record<string, string>;
  env?: Record<string, string>;
  steps?: Step[];
}

interface Workflow {
  on: Record<string, unknown>;
  permissions: object;
  defaults?: { run?: { shell?: string } };
  jobs: Record<string, Job>;
}

/** @param file relative to the repository */
export function workflow(file: string): Workflow {
  return parse(readFileSync(join(workspace, file), 'utf8')) as Workflow;
}
