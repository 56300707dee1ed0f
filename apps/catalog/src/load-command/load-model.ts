import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@engawa/errors';
import { curlLine, stepPath } from './query-steps.ts';
import type { CatalogClient } from './catalog-client.ts';
import type { Model } from './read-model.ts';

export interface LoadModelOptions {
  model: Model;
  client: CatalogClient;
  signal: AbortSignal;
  print: (line: string) => void;
}

/** Few enough that a slow table writes them within the request timeout. */
const entitiesPerRequest = 1000;
/** Between two polls of searches that are being built. */
const pollIntervalMs = 500;

/** Idempotent. @throws OperatorError where the catalog refuses a request */
export async function loadModel(options: LoadModelOptions): Promise<void> {
  const { model, client, print } = options;
  print(model.description);
  await declareTypes(options);
  await createEntities(options);
  for (const { name } of model.types) await untilBuilt(name, options);
  print('\nExample queries:');
  for (const { ask, steps } of model.questions) {
    print(`\n# ${ask}`);
    let answer: unknown;
    for (const [index, step] of steps.entries()) {
      const path = stepPath(step, answer);
      print(curlLine(client.url + path, client));
      // The next step needs an id of this response.
      if (index < steps.length - 1) answer = await client.request(path);
    }
  }
}

async function declareTypes({ model, client, print }: LoadModelOptions): Promise<void> {
  for (const type of model.types) {
    const { name, ...definition } = type;
    const body = JSON.stringify(definition);
    await client.request(typePath(name), { method: 'PUT', body });
  }
  print(`types: ${model.types.map(({ name }) => name).join(', ')}`);
}

interface CreationResponse {
  entities: { created: number; existing: number };
  failed: number;
  errors: { line: number; message: string }[];
}

async function createEntities({ model, client, print }: LoadModelOptions): Promise<void> {
  const total = model.entities.length;
  let [created, existing] = [0, 0];
  for (let start = 0; start < total; start += entitiesPerRequest) {
    const entities = model.entities.slice(start, start + entitiesPerRequest);
    const body = entities.map((entity) => `${JSON.stringify(entity)}\n`).join('');
    const request = { method: 'POST', type: 'application/x-ndjson', body };
    const report = (await client.request('/v1/entities', request)) as CreationResponse;
    const [error] = report.errors;
    if (error !== undefined) {
      const which = start + error.line;
      throw new OperatorError(
        `${report.failed} entities were rejected; the first is number ${which}: ${error.message}`,
      );
    }
    created += report.entities.created;
    existing += report.entities.existing;
    print(`entities: ${created} created, ${existing} existing, of ${total}`);
  }
}

interface IndexStates {
  searches: { name: string; state: string }[];
  rankings: { name: string; state: string }[];
}

/** The searches of a changed type are built from its existing entities. */
async function untilBuilt(type: string, options: LoadModelOptions): Promise<void> {
  const { client, signal, print } = options;
  let lastLine = '';
  for (;;) {
    const { searches, rankings } = (await client.request(typePath(type))) as IndexStates;
    const building = [...searches, ...rankings].filter(({ state }) => state === 'building');
    if (building.length === 0) return;
    const line = `building: ${building.map(({ name }) => `${type} ${name}`).join(', ')}`;
    if (line !== lastLine) print(line);
    lastLine = line;
    await sleep(pollIntervalMs, undefined, { signal });
  }
}

function typePath(name: string): string {
  return `/v1/types/${encodeURIComponent(name)}`;
}
