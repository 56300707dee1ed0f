import { catalogTaskPartition } from '@engawa/keys';
import { until } from '@engawa/testing';
import { taskOf } from '../src/tasks/task-runner.ts';
import type { Document } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { TestResponse, Catalog } from './catalog.ts';

interface Example {
  id: string;
  reason: string;
}

/** A type in a response. */
export interface TypeResponse {
  name: string;
  searches: { name: string; state: string }[];
  rankings: { name: string; state: string }[];
  version: number;
  build?: { done: number; since: string; refused?: { count: number; examples: Example[] } };
  leftOut?: { search: string; count: number; examples: Example[] }[];
  unconverted?: { attribute: string; count: number; examples: Example[] }[];
}

export function typePath(name: string): string {
  return `/v1/types/${encodeURIComponent(name)}`;
}

export async function getType(catalog: Catalog, name: string): Promise<TypeResponse> {
  const { status, body } = await catalog.ask(typePath(name));
  if (status !== 200) throw new Error(`no type: ${JSON.stringify(body)}`);
  return body as TypeResponse;
}

export function putType(
  catalog: Catalog,
  name: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return catalog.ask(typePath(name), { method: 'PUT', body, headers });
}

export async function untilBuilt(catalog: Catalog, name: string): Promise<void> {
  await until(`the type ${name} to be built`, async () => {
    const { build, searches, rankings } = await getType(catalog, name);
    const isReady = [...searches, ...rankings].every(({ state }) => state === 'ready');
    const tasks = (await tasksOf(catalog.table)).map(taskOf);
    return build === undefined && isReady && tasks.every(({ segments: [of] }) => of !== name);
  });
}

export async function tasksOf(table: Table): Promise<Document[]> {
  return (await table.query({ pk: catalogTaskPartition, consistent: true })).items;
}

/** Waits until no background work is due, so that the next test counts only its own requests. */
export async function untilIdle(catalog: Catalog): Promise<void> {
  await until('all background tasks to wait', async () =>
    // A deletion waits for the maximum index lag after its first pass.
    (await tasksOf(catalog.table)).every((task) => task['looked'] === true),
  );
}

/** Creates entities of a type from id `1000` on, each with a number and a name. */
export async function fill(catalog: Catalog, type: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => String(1000 + index));
  const entities = ids.map((id) => ({
    type,
    id,
    attributes: { name: `Name ${id}`, number: Number(id) },
  }));
  const { status, body } = await catalog.ask('/v1/entities', { method: 'POST', body: entities });
  if (status !== 200) throw new Error(`not made: ${JSON.stringify(body)}`);
  return ids;
}
