import { catalogue } from '@engawa/errors';
import type { ProblemCode } from '@engawa/errors';
import { z } from 'zod';
import { problemSchema, problemType, statusOf } from './problem-answer.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  parameters: Json[];
  requestBody?: Json;
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>;
}

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; description: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
}

/** The contract of an app, OpenAPI 3.1, made from the schemas that its routes check with. */
export function openApiDocument({
  routes,
  ...info
}: { routes: readonly Route[] } & OpenApiDocument['info']): OpenApiDocument {
  const schemas: Record<string, Json> = {};
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const operations = (paths[route.path] ??= {});
    if (operations[route.method] !== undefined) {
      throw new Error(`${route.method} ${route.path} is declared twice`);
    }
    operations[route.method] = operation(route, schemas);
  }
  return { openapi: '3.1.1', info, paths, components: { schemas } };
}

function operation(route: Route, schemas: Record<string, Json>): Operation {
  const { operationId, summary, description, tags } = route;
  const params = parameters(route.params, 'path', schemas);
  const names = route.path.match(/(?<=\{)\w+(?=\})/g) ?? [];
  if (
    names.toSorted().join() !==
    params
      .map(({ name }) => name)
      .toSorted()
      .join()
  ) {
    throw new Error(`the parameters of ${route.path} are not those that it declares`);
  }
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags }),
    parameters: [
      ...params,
      ...parameters(route.query, 'query', schemas),
      ...parameters(route.headers, 'header', schemas),
    ],
    ...requestBody(route, schemas),
    responses: { ...responses(route, schemas), ...problemResponses(route, schemas) },
  };
}

function parameters(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query' | 'header',
  schemas: Record<string, Json>,
) {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input', schemas) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}

function requestBody(route: Route, schemas: Record<string, Json>): { requestBody?: Json } {
  if (route.streamed !== undefined) {
    const { types, limit } = route.streamed;
    const content = Object.entries(types).map(([type, schema]) => [
      type,
      { schema: jsonSchema(schema, 'input', schemas) },
    ]);
    const description = `Read as it comes; at most ${limit} bytes, after decompression.`;
    return {
      requestBody: { required: true, description, content: Object.fromEntries(content) as Json },
    };
  }
  if (route.body === undefined) return {};
  return {
    requestBody: { required: true, content: json(jsonSchema(route.body, 'input', schemas)) },
  };
}

function responses(route: Route, schemas: Record<string, Json>): Operation['responses'] {
  const entries = Object.entries(route.answers).map(([status, { description, schema }]) => [
    status,
    { description, ...(schema && { content: json(jsonSchema(schema, 'output', schemas)) }) },
  ]);
  return Object.fromEntries(entries) as Operation['responses'];
}

/** Problems by status, each with the codes that it may have. */
function problemResponses(route: Route, schemas: Record<string, Json>): Operation['responses'] {
  const schema = jsonSchema(problemSchema, 'output', schemas);
  const byStatus = Map.groupBy(problemsOf(route), (code) => statusOf[code]);
  const entries = [...byStatus].map(([status, codes]) => {
    const description = codes.map((code) => `\`${code}\`: ${catalogue[code].title}`).join('. ');
    return [status, { description, content: { [problemType]: { schema } } }] as const;
  });
  return Object.fromEntries(entries);
}

function problemsOf(route: Route): Set<ProblemCode> {
  const ofBodies = ['unsupported-media-type', 'payload-too-large'] as const;
  return new Set<ProblemCode>([
    'invalid-request',
    ...(route.body === undefined && route.streamed === undefined ? [] : ofBodies),
    ...(route.problems ?? []),
    'internal',
  ]);
}

function json(schema: Json) {
  return { 'application/json': { schema } };
}

/** The JSON schema of a zod schema; the named ones in it move to the document's components. */
function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  schemas: Record<string, Json>,
): Json {
  const { $defs = {}, id, ...own } = relocate(z.toJSONSchema(schema, { io }));
  delete own['$schema'];
  for (const [name, definition] of Object.entries($defs as Record<string, Json>)) {
    define(name, definition, schemas);
  }
  if (typeof id !== 'string') return own;
  define(id, own, schemas);
  return { $ref: `#/components/schemas/${id}` };
}

function define(name: string, schema: Json, schemas: Record<string, Json>): void {
  const known = schemas[name];
  if (name.startsWith('__')) throw unnamed();
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two different schemas have the id ${name}`);
  }
  schemas[name] = schema;
}

/** References point into the schema's own document until it is part of ours. */
function relocate(schema: object): Json {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string') return value;
    if (value === '#') throw unnamed();
    return value.replace('#/$defs/', '#/components/schemas/');
  }) as Json;
}

function unnamed(): Error {
  return new Error('a schema that refers to itself needs an id in its meta');
}
