import { problemTypes, Problem } from '@engawa/errors';
import type { ProblemCode } from '@engawa/errors';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { ExchangeResponse } from '../route/exchange.ts';
import { invalid } from './invalid-request.ts';

/** Exhaustive: a new code does not compile until it has a status. */
export const statusOf: Record<ProblemCode, number> = {
  'invalid-request': 400,
  'invalid-cursor': 400,
  'unsupported-media-type': 415,
  'payload-too-large': 413,
  'request-timeout': 408,
  'headers-too-large': 431,
  'route-not-found': 404,
  'method-not-allowed': 405,
  'device-not-found': 404,
  'place-not-found': 404,
  'room-not-found': 404,
  'placement-not-found': 404,
  'already-exists': 412,
  'being-deleted': 409,
  'history-conflict': 409,
  'correction-not-found': 404,
  'correction-exists': 409,
  'too-many-corrections': 409,
  'dead-letter-not-found': 404,
  'type-not-found': 404,
  'type-in-use': 409,
  'entity-not-found': 404,
  'search-not-found': 404,
  'search-building': 409,
  'related-entity-not-found': 409,
  'still-related': 409,
  'not-unique': 409,
  'full-text-unavailable': 503,
  'full-text-timeout': 503,
  'full-text-too-large': 503,
  'condition-failed': 409,
  'transaction-too-large': 400,
  'version-mismatch': 412,
  unauthenticated: 401,
  forbidden: 403,
  'keys-unavailable': 503,
  'rate-limited': 429,
  'too-many-at-once': 429,
  overloaded: 503,
  'deadline-exceeded': 503,
  'not-acceptable': 406,
  'table-throttled': 503,
  'table-unavailable': 503,
  'not-supported-by-table': 501,
  internal: 500,
};

/** Seconds that a 503 asks to wait: a table's burst capacity comes back by the second. */
const retryAfterSeconds = 2;
/** What a service has too much of is over sooner than that. */
const overloadedSeconds = 1;
const overloads: ReadonlySet<ProblemCode> = new Set(['overloaded', 'too-many-at-once']);

export const problemType = 'application/problem+json';

/** The body of every answer of 400 and above: RFC 9457, with the extensions `requestId` and `errors`. */
export const problemSchema = z
  .strictObject({
    type: z
      .string()
      .describe('Stable name of the kind of problem, and the address of a page about it.'),
    title: z.string().describe('The kind of problem in words; never changes for a type.'),
    status: z.int().describe('The HTTP status again.'),
    detail: z.string().describe('What was wrong this time.'),
    requestId: z.string().describe('Names this request in the logs; also the X-Request-Id header.'),
    errors: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .optional()
      .describe('Every place in the request that is wrong, such as `query.limit`, and why.'),
  })
  .meta({ id: 'Problem' });

/** Answers with whatever stopped the request, and logs what is the service's own fault, once. */
export function sendProblem(error: unknown, response: ExchangeResponse): void {
  const { log, clientDisconnected: hungUp, requestId } = response.locals.exchange;
  const problem = toProblem(error);
  const status = statusOf[problem.code];
  if (hungUp) {
    const line = { code: problem.code, detail: problem.message };
    log.debug(line, 'request cancelled by the client');
    return;
  }
  logFailure(problem, log, problem.code === 'internal' ? 'request failed' : 'request rejected');
  const seconds = problem.retryAfterSeconds ?? defaultRetryAfterSeconds(problem.code);
  if (seconds !== undefined) response.set('Retry-After', String(seconds));
  // RFC 9110 section 15.5.9: the rest of the request would be taken for the next one.
  if (status === 408) response.set('Connection', 'close');
  const body = problemBody(problem, requestId);
  response.status(status).type(problemType).send(JSON.stringify(body));
}

function defaultRetryAfterSeconds(code: ProblemCode): number | undefined {
  if (overloads.has(code)) return overloadedSeconds;
  return statusOf[code] === 503 || code === 'search-building' ? retryAfterSeconds : undefined;
}

/** What a client is told of it. */
export function problemBody(
  { code, message, fieldErrors }: Problem,
  requestId: string,
): z.output<typeof problemSchema> {
  return {
    type: `/problems/${code}`,
    title: problemTypes[code].title,
    status: statusOf[code],
    detail: message,
    requestId,
    ...(fieldErrors.length > 0 && { errors: [...fieldErrors] }),
  };
}

/** Said once where it begins: a line for each request would be one more thing to do for who has too much of it. */
const saidElsewhere: ReadonlySet<ProblemCode> = new Set(['overloaded', 'keys-unavailable']);

export function logFailure(problem: Problem, log: Logger, message: string): void {
  const { code } = problem;
  const line = { code, detail: problem.message };
  // Only what nobody foresaw is worth a stack: why there is no table, the table library has said already.
  if (code === 'internal') log.error({ ...line, err: problem.cause }, message);
  else log[statusOf[code] >= 500 && !saidElsewhere.has(code) ? 'warn' : 'debug'](line, message);
}

/** What nobody foresaw is `internal`. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // What Express' router throws for a path whose percent-encoding is broken.
  if (error instanceof URIError && 'status' in error && error.status === 400) {
    return invalid([{ path: 'path', message: 'must be percent-encoded UTF-8' }]);
  }
  return new Problem('internal', 'The cause is in the log of the service, under the request id.', {
    cause: error,
  });
}
