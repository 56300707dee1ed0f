import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compiledCode, freePort } from '@engawa/testing';
import { CatalogClient } from '../src/load-command/catalog-client.ts';
import { loadModel } from '../src/load-command/load-model.ts';
import { parseOptions } from '../src/load-command/options.ts';
import { stepPath } from '../src/load-command/query-steps.ts';
import { readModel as readModelFile } from '../src/load-command/read-model.ts';
import { startCatalog } from './catalog.ts';
import type { Model } from '../src/load-command/read-model.ts';
import type { Catalog } from './catalog.ts';

const folder = join(__dirname, '../models');

export const modelNames = ['game', 'music', 'organisation', 'shop'];

export function readModel(name: string): Model {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Model;
}

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** A command in its own process. */
export function runScript(
  path: string,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<CommandResult> {
  const script = join(__dirname, '../src', path);
  const env = { PATH: process.env['PATH'], ...compiledCode(), ...environment };
  const running = promisify(execFile)(process.execPath, [script, ...args], { env });
  return running.then(
    (ended) => ({ code: 0, ...ended }),
    (error: unknown) => error as CommandResult,
  );
}

/** `npm run catalog:load` in its own process. */
export function runLoad(
  args: string[],
  environment: Record<string, string>,
): Promise<CommandResult> {
  return runScript('load-command/main.ts', args, environment);
}

/**
 * `npm run catalog:load` in the process of the test: a process of its own takes longer than the load.
 * @returns the printed lines
 * @throws OperatorError, which the command prints
 */
export async function loadHere(
  args: string[],
  environment: Record<string, string>,
): Promise<string[]> {
  const options = parseOptions(args, environment);
  if (options === 'help') throw new Error('the command would print its help');
  const lines: string[] = [];
  const { signal } = new AbortController();
  await loadModel({
    model: await readModelFile(options.model, { folder, from: options.from }),
    client: new CatalogClient({ ...options, signal }),
    signal,
    print: (line) => lines.push(line),
  });
  return lines;
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

/** A catalog with the model, loaded as by the command. */
export async function startWithModel(
  model: string,
  environment?: Record<string, string>,
): Promise<CatalogWithUrl> {
  const catalog = await startQuietCatalog(environment);
  await loadHere([model], { CATALOG_URL: catalog.url });
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
