import type { FieldError } from '@engawa/errors';
import { z } from 'zod';
import type { ExchangeRequest } from '../route/exchange.ts';
import type { TransferLimits } from '../guards/watch-transfer.ts';
import { eachIfMatch } from './preconditions.ts';
import { invalidRequest } from '../response/invalid-request.ts';
import { emptyStream } from '../route/body-stream.ts';
import { jsonTypesOf, readJson } from './json-body.ts';
import { mayRepeat } from './repeated-parameter.ts';
import { noHeaders, noParameters } from '../route/route.ts';
import type { Route } from '../route/route.ts';
import { validationMessage } from './validation-message.ts';
import { openStream } from './streamed-body.ts';
import type { BodyStream } from '../route/body-stream.ts';

/** Characters of a path in a field error: names in it may be the client's own. */
const maxPathLength = 200;

type Validated = { value: unknown } | { fieldErrors: FieldError[] };

export interface Input {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** One per revision in If-Match, else one: the handler is tried with each until one matches. */
  headers: Record<string, unknown>[];
  body: unknown;
  stream: BodyStream;
}

/**
 * Reads the input of a request and validates it with the schemas of its route.
 * @throws Problem `invalid-request` with all field errors, or the reason why the body cannot be read
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
    throw invalidRequest(
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

function check(schema: z.ZodType, value: unknown, place: string): Validated {
  const result = schema.safeParse(value, { error: validationMessage });
  if (result.success) return { value: result.data };
  const fieldErrors = result.error.issues.flatMap((issue) => {
    const below = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [key]) : [[]];
    return below.map((rest) => fieldError([place, ...issue.path, ...rest], issue.message));
  });
  return { fieldErrors };
}

function checkHeaders(schema: z.ZodObject, given: ExchangeRequest['headers']): Validated {
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

/**
 * Rejects unknown parameters, and repeated ones that are not lists: otherwise one of two values
 * would silently be ignored.
 */
function checkQuery(schema: z.ZodObject, url: string): Validated {
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
      const names =
        known.length === 0 ? 'no parameters' : `only the parameters ${known.join(', ')}`;
      return [fieldError(['query', name], `is unknown; this route has ${names}`)];
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
): Promise<Validated> {
  const { body: schema, exactNumbers: exact = false } = route;
  if (schema === undefined) return { value: undefined };
  const read = await readJson(request, { exact, transfer, types: jsonTypesOf(route) });
  return 'error' in read ? { fieldErrors: [read.error] } : check(schema, read.value, 'body');
}
