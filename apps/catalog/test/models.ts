import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@engawa/testing';
import { stepPath } from '../src/load-command/query-steps.ts';
import { startCatalog } from './catalog.ts';
import type { Model } from '../src/load-command/read-model.ts';
import type { Catalog } from './catalog.ts';

export const modelNames = ['game', 'music', 'organisation', 'shop'];

export function readModel(name: string): Model {
  return JSON.parse(readFileSync(join(__dirname, `../models/${name}.json`), 'utf8')) as Model;
}

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** `npm run catalog:load` in its own process. */
export async function runLoad(
  args: string[],
  environment: Record<string, string>,
): Promise<CommandResult> {
  const script = join(__dirname, '../src/load-command/main.ts');
  const env = { PATH: process.env['PATH'], ...environment };
  const running = promisify(execFile)(process.execPath, [script, ...args], { env });
  return running.then(
    (ended) => ({ code: 0, ...ended }),
    (error: unknown) => error as CommandResult,
  );
}

export interface CatalogWithUrl extends Catalog {
  url: string;
}

/** Without background polls, so that only the query is counted. */
export async function startQuietCatalog(
  environment: Record<string, string> = {},
): Promise<CatalogWithUrl> {
  const port = String(await freePort());
  const quiet = {
    TYPE_REFRESH_MS: '600000',
    FULL_TEXT_REFRESH_MS: '600000',
    TASK_REFRESH_MS: '600000',
  };
  const catalog = await startCatalog({ PORT: port, ...quiet, ...environment });
  return { ...catalog, url: `http://127.0.0.1:${port}` };
}

/** A catalog with the model, loaded by the command. */
export async function startWithModel(
  model: string,
  environment?: Record<string, string>,
): Promise<CatalogWithUrl> {
  const catalog = await startQuietCatalog(environment);
  const { code, stderr } = await runLoad([model], { CATALOG_URL: catalog.url });
  if (code !== 0) throw new Error(stderr);
  return catalog;
}

/** The responses of a query, step by step. */
export async function answersTo(
  catalog: Catalog,
  { steps }: Model['questions'][number],
): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const step of steps) {
    const { status, body } = await catalog.ask(stepPath(step, answers.at(-1)));
    if (status !== 200) throw new Error(`${status} for ${step}: ${JSON.stringify(body)}`);
    answers.push(body);
  }
  return answers;
}
