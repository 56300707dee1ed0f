import type { FieldError } from '@engawa/errors';
import { z } from 'zod';
import type { ExchangeRequest } from '../route/exchange.ts';
import type { TransferLimits } from '../guards/watch-transfer.ts';
import { eachIfMatch } from './preconditions.ts';
import { invalid } from '../response/invalid-request.ts';
import { emptyStream } from '../route/body-stream.ts';
import { jsonTypesOf, readJson } from './json-body.ts';
import { mayRepeat } from './repeated-parameter.ts';
import { noHeaders, noParameters } from '../route/route.ts';
import type { Route } from '../route/route.ts';
import { validationMessage } from './validation-message.ts';
import { openStream } from './streamed-body.ts';
import type { BodyStream } from '../route/body-stream.ts';

/** Characters of a name that the client made up which are given back to it. */
const maxPathLength = 200;

type Part = { value: unknown } | { fieldErrors: FieldError[] };

export interface Input {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** One for each version in If-Match, else one: the request may be done with the first that holds. */
  headers: Record<string, unknown>[];
  body: unknown;
  stream: BodyStream;
}

/**
 * What the request asks, checked by the route's schemas.
 * @throws Problem naming everything that is wrong, or why the body cannot be read
 */
export async function readInput(
  route: Route,
  request: ExchangeRequest,
  transfer: TransferLimits,
): Promise<Input> {
  const params = check(route.params ?? noParameters, request.params, 'path');
  const query = checkQuery(route.query ?? noParameters, request.originalUrl);
  const headers = checkHeaders(route.headers ?? noHeaders, request.headers);
  const body = await checkBody(route, request, transfer);
  if (
    'fieldErrors' in params ||
    'fieldErrors' in query ||
    'fieldErrors' in headers ||
    'fieldErrors' in body
  ) {
    throw invalid(
      [params, query, headers, body].flatMap((part) =>
        'fieldErrors' in part ? part.fieldErrors : [],
      ),
    );
  }
  return {
    params: params.value as Record<string, unknown>,
    query: query.value as Record<string, unknown>,
    headers: headers.value as Record<string, unknown>[],
    body: body.value,
    stream:
      route.streamed === undefined ? emptyStream : openStream(route.streamed, request, transfer),
  };
}

function check(schema: z.ZodType, value: unknown, place: string): Part {
  const result = schema.safeParse(value, { error: validationMessage });
  if (result.success) return { value: result.data };
  const fieldErrors = result.error.issues.flatMap((issue) => {
    const below = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [key]) : [[]];
    return below.map((rest) => fieldError([place, ...issue.path, ...rest], issue.message));
  });
  return { fieldErrors };
}

function checkHeaders(schema: z.ZodObject, given: ExchangeRequest['headers']): Part {
  if (!Object.hasOwn(schema.shape, 'if-match')) {
    const checked = check(schema, given, 'header');
    return 'fieldErrors' in checked ? checked : { value: [checked.value] };
  }
  const parts = eachIfMatch(given['if-match']).map((tag) =>
    check(schema, { ...given, 'if-match': tag }, 'header'),
  );
  const [faulty] = parts.filter((part) => 'fieldErrors' in part);
  return faulty ?? { value: parts.map((part) => ('value' in part ? part.value : undefined)) };
}

function fieldError(path: PropertyKey[], message: string): FieldError {
  return { path: z.core.toDotPath(path).slice(0, maxPathLength), message };
}

/** Each parameter is known and, unless it is a list, given once: of two values one would be dropped without a word. */
function checkQuery(schema: z.ZodObject, url: string): Part {
  const start = url.indexOf('?');
  const text = start === -1 ? '' : url.slice(start + 1);
  try {
    decodeURIComponent(text);
  } catch {
    return { fieldErrors: [fieldError(['query'], 'must be percent-encoded UTF-8')] };
  }
  const given = new URLSearchParams(text);
  const known = Object.keys(schema.shape);
  const fieldErrors = [...new Set(given.keys())].flatMap((name) => {
    if (!known.includes(name)) {
      const names = known.length === 0 ? 'takes none' : `takes ${known.join(', ')}`;
      return [fieldError(['query', name], `is not known here; this address ${names}`)];
    }
    const times = mayRepeat(schema, name) ? 1 : given.getAll(name).length;
    return times > 1 ? [fieldError(['query', name], `must be given once, not ${times} times`)] : [];
  });
  const values = known.flatMap((name) => {
    const texts = given.getAll(name);
    if (texts.length === 0) return [];
    return [[name, mayRepeat(schema, name) ? texts : texts[0]] as const];
  });
  const checked = check(schema, Object.fromEntries(values), 'query');
  if (fieldErrors.length === 0) return checked;
  return {
    fieldErrors: 'fieldErrors' in checked ? [...fieldErrors, ...checked.fieldErrors] : fieldErrors,
  };
}

async function checkBody(
  route: Route,
  request: ExchangeRequest,
  transfer: TransferLimits,
): Promise<Part> {
  const { body: schema, exactNumbers: exact = false } = route;
  if (schema === undefined) return { value: undefined };
  const read = await readJson(request, { exact, transfer, types: jsonTypesOf(route) });
  return 'error' in read ? { fieldErrors: [read.error] } : check(schema, read.value, 'body');
}
