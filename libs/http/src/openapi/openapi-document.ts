import { problemTypes } from '@engawa/errors';
import type { ProblemCode } from '@engawa/errors';
import { z } from 'zod';
import { eventStreamType } from '../events/send-events.ts';
import { scopeOf } from '../guards/authorize.ts';
import type { HttpGuards } from '../guards/http-guards.ts';
import { problemSchema, problemType, statusOf } from '../response/problem-response.ts';
import { jsonTypesOf } from '../request/json-body.ts';
import { ContractSchemas } from './openapi-schemas.ts';
import type { JsonObject } from './openapi-schemas.ts';
import type { OpenApiDocument, Operation } from './openapi-types.ts';
import { mayRepeat } from '../request/repeated-parameter.ts';
import type { Route } from '../route/route.ts';

const license = { name: 'Apache License 2.0', identifier: 'Apache-2.0' };

/** The guards that the OpenAPI document describes. */
export type ContractGuards = Pick<HttpGuards, 'maxRequestsPerMinute' | 'tokens'>;

/** The OpenAPI 3.1 document of an app, generated from the schemas that its routes validate with. */
export function openApiDocument({
  routes,
  guards,
  ...info
}: {
  routes: readonly Route[];
  guards: ContractGuards;
} & Omit<OpenApiDocument['info'], 'license'>): OpenApiDocument {
  const schemas = new ContractSchemas();
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const operations = (paths[route.path] ??= {});
    if (operations[route.method] !== undefined) {
      throw new Error(`${route.method} ${route.path} is declared twice`);
    }
    operations[route.method] = operation(route, guards, schemas);
  }
  const bearer = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' };
  const securitySchemes = guards.tokens && { securitySchemes: { bearer } };
  return {
    openapi: '3.1.1',
    info: { ...info, license },
    servers: [{ url: '/' }],
    paths,
    components: { schemas: schemas.components, ...securitySchemes },
  };
}

const rowCursor = z
  .string()
  .optional()
  .describe('With `resumable`: cursor of the rows after this one.');

const ifNoneMatch: JsonObject = {
  name: 'if-none-match',
  in: 'header',
  required: false,
  description:
    'ETags of responses that the client has; the response is 304 where one of them is still current.',
  schema: { type: 'string' },
};

function operation(route: Route, guards: ContractGuards, schemas: ContractSchemas): Operation {
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
    throw new Error(`the path parameters of ${route.path} differ from those of its schema`);
  }
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags }),
    ...security(route, guards),
    parameters: [
      ...params,
      ...parameters(route.query, 'query', schemas),
      ...parameters(route.headers, 'header', schemas),
      ...(route.hasEntityTag === true ? [ifNoneMatch] : []),
    ],
    ...requestBody(route, schemas),
    responses: { ...responses(route, schemas), ...problemResponses(route, guards, schemas) },
  };
}

/** OpenAPI 3.1.1, section 4.8.30: the required scopes of a bearer token are listed as for OAuth 2. */
function security(route: Route, { tokens }: ContractGuards): Pick<Operation, 'security'> {
  const scope = scopeOf(route);
  if (tokens === undefined || scope === undefined) return {};
  return { security: [{ bearer: [`${tokens.service}:${scope}`] }] };
}

function parameters(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query' | 'header',
  schemas: ContractSchemas,
) {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemas.of(schema, 'input') as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    // A list in a single parameter is comma-separated.
    ...(rest['type'] === 'array' && { style: 'form', explode: mayRepeat(schema, name) }),
    schema: rest,
  }));
}

function requestBody(route: Route, schemas: ContractSchemas): { requestBody?: JsonObject } {
  if (route.streamed !== undefined) {
    const { types, maxBytes: limit } = route.streamed;
    const content = Object.entries(types).map(([type, schema]) => [
      type,
      { schema: schemas.of(schema, 'input') },
    ]);
    const description = `Processed while it is received; at most ${limit} bytes after decompression.`;
    return {
      requestBody: {
        required: true,
        description,
        content: Object.fromEntries(content) as JsonObject,
      },
    };
  }
  if (route.body === undefined) return {};
  return {
    requestBody: { required: true, content: bodyTypes(route, route.body, schemas) },
  };
}

function bodyTypes(route: Route, body: z.ZodType, schemas: ContractSchemas): JsonObject {
  const schema = schemas.of(body, 'input');
  return Object.fromEntries(jsonTypesOf(route).map((type) => [type, { schema }]));
}

function responses(route: Route, schemas: ContractSchemas): Operation['responses'] {
  const entries = Object.entries(route.responses).map(([status, response]) => {
    const { description, schema, events } = response;
    const content = {
      // The schema is that of one event, as `itemSchema` of OpenAPI 3.2.
      ...(events && { [eventStreamType]: { schema: schemas.of(events, 'output') } }),
      ...(schema && json(schemas.of(schema, 'output'))),
      ...(status === '200' && rowForms(route, schemas)),
    };
    return [status, { description, ...(Object.keys(content).length > 0 && { content }) }];
  });
  const all = Object.fromEntries(entries) as Operation['responses'];
  if (route.hasEntityTag !== true) return all;
  return {
    ...all,
    304: {
      description:
        'Not modified: the client already has this response, according to If-None-Match.',
    },
  };
}

function rowForms({ rows, query }: Route, schemas: ContractSchemas) {
  if (rows === undefined) return {};
  return {
    'application/x-ndjson': {
      schema: schemas.of(rowSchema(rows.schema, query), 'output'),
    },
    'text/csv': { schema: { type: 'string' } },
  };
}

/** Some rows of a resumable list have a cursor. */
function rowSchema(schema: z.ZodType, query: z.ZodObject | undefined): z.ZodType {
  const isResumable = query !== undefined && Object.hasOwn(query.shape, 'resumable');
  return isResumable && schema instanceof z.ZodObject
    ? schema.extend({ cursor: rowCursor })
    : schema;
}

/** The problem responses by status, each with its possible problem codes. */
function problemResponses(
  route: Route,
  guards: ContractGuards,
  schemas: ContractSchemas,
): Operation['responses'] {
  const schema = schemas.of(problemSchema, 'output');
  const byStatus = Map.groupBy(problemsOf(route, guards), (code) => statusOf[code]);
  const entries = [...byStatus].map(([status, codes]) => {
    const description = codes.map((code) => `\`${code}\`: ${problemTypes[code].title}`).join('. ');
    return [status, { description, content: { [problemType]: { schema } } }] as const;
  });
  return Object.fromEntries(entries);
}

function problemsOf(
  route: Route,
  { maxRequestsPerMinute: perMinute, tokens }: ContractGuards,
): Set<ProblemCode> {
  const readsBody = route.body !== undefined || route.streamed !== undefined;
  const needsToken = tokens !== undefined && scopeOf(route) !== undefined;
  const where = (holds: boolean, ...codes: ProblemCode[]) => (holds ? codes : []);
  return new Set<ProblemCode>([
    'invalid-request',
    'method-not-allowed',
    'headers-too-large',
    ...where(needsToken, 'unauthenticated', 'forbidden', 'keys-unavailable'),
    ...where(route.method === 'get', 'not-acceptable'),
    ...where(readsBody, 'unsupported-media-type', 'payload-too-large', 'request-timeout'),
    ...(route.problems ?? []),
    ...where(perMinute > 0, 'rate-limited'),
    'too-many-at-once',
    'overloaded',
    ...where(route.streamed === undefined, 'deadline-exceeded'),
    'internal',
  ]);
}

function json(schema: JsonObject) {
  return { 'application/json': { schema } };
}
