import { problemTypes, Problem } from '@engawa/errors';
import type { ProblemCode } from '@engawa/errors';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { ExchangeResponse } from '../route/exchange.ts';
import { invalidRequest } from './invalid-request.ts';
import { setUnits } from './units-header.ts';

/** Exhaustive: a new code does not compile until it has a status. */
export const statusOf: Record<ProblemCode, number> = {
  'invalid-request': 400,
  'invalid-cursor': 400,
  'unsupported-media-type': 415,
  'payload-too-large': 413,
  'range-not-satisfiable': 416,
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
  'type-changing': 409,
  'entity-not-found': 404,
  'relation-not-found': 404,
  'search-not-found': 404,
  'search-building': 409,
  'related-entity-not-found': 409,
  'still-related': 409,
  'not-unique': 409,
  'full-text-unavailable': 503,
  'full-text-timeout': 503,
  'full-text-too-large': 503,
  'too-many-conflicts': 409,
  'condition-failed': 409,
  'transaction-too-large': 400,
  'version-mismatch': 412,
  unauthenticated: 401,
  forbidden: 403,
  'beyond-places': 403,
  'cross-site-request': 403,
  'host-refused': 403,
  'keys-unavailable': 503,
  'issuer-unavailable': 503,
  'rate-limited': 429,
  'too-many-at-once': 429,
  'service-unreachable': 503,
  'service-closing': 503,
  overloaded: 503,
  'deadline-exceeded': 503,
  'not-acceptable': 406,
  'table-throttled': 503,
  'table-unavailable': 503,
  'not-supported-by-table': 501,
  internal: 500,
};

/** Retry-After of a 503 and of a change in progress, in seconds: a table regains burst capacity every second. */
const retryAfterSeconds = 2;
const inProgress: ReadonlySet<ProblemCode> = new Set(['search-building', 'type-changing']);
/** Retry-After of problems that other requests cause, in seconds: these requests end sooner. */
const contendedSeconds = 1;
const contended: ReadonlySet<ProblemCode> = new Set([
  'overloaded',
  'too-many-at-once',
  'too-many-conflicts',
]);

export const problemType = 'application/problem+json';

/** The body of every response of status 400 and above: RFC 9457 with the extensions `requestId` and `errors`. */
export const problemSchema = z
  .strictObject({
    type: z
      .string()
      .describe('Stable identifier of the problem type, and the URL of its description.'),
    title: z
      .string()
      .describe('Short description of the problem type; always the same for a type.'),
    status: z.int().describe('The HTTP status of the response.'),
    detail: z.string().describe('Description of this occurrence of the problem.'),
    requestId: z
      .string()
      .describe('Identifier of this request in the logs, as in the header X-Request-Id.'),
    errors: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .optional()
      .describe(
        'The invalid fields of the request: the path of each, such as `query.limit`, and the reason.',
      ),
  })
  .meta({ id: 'Problem' });

/**
 * Sends the error of a request as a problem response, and logs it once; with `warn` or `error` only
 * failures of the service.
 */
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
  setUnits(response);
  const seconds = problem.retryAfterSeconds ?? defaultRetryAfterSeconds(problem.code);
  if (seconds !== undefined) response.set('Retry-After', String(seconds));
  // RFC 9110, section 15.5.9: otherwise the rest of the body would be read as the next request.
  if (status === 408) response.set('Connection', 'close');
  const body = problemBody(problem, requestId);
  response.status(status).type(problemType).send(JSON.stringify(body));
}

function defaultRetryAfterSeconds(code: ProblemCode): number | undefined {
  if (contended.has(code)) return contendedSeconds;
  return statusOf[code] === 503 || inProgress.has(code) ? retryAfterSeconds : undefined;
}

/** The response body of a problem. */
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

/**
 * Problems that are logged once where their cause begins; a line per request would add load to an
 * overloaded service.
 */
const loggedAtCause: ReadonlySet<ProblemCode> = new Set(['overloaded', 'keys-unavailable']);

export function logFailure(problem: Problem, log: Logger, message: string): void {
  const { code } = problem;
  const line = { code, detail: problem.message };
  // Only unexpected errors are logged with a stack; libs/table logs the cause of table errors.
  if (code === 'internal') log.error({ ...line, err: problem.cause }, message);
  else log[statusOf[code] >= 500 && !loggedAtCause.has(code) ? 'warn' : 'debug'](line, message);
}

/** The error as a Problem; an unexpected error becomes `internal`. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // Express' router throws it for a path with invalid percent-encoding.
  if (error instanceof URIError && 'status' in error && error.status === 400) {
    return invalidRequest([{ path: 'path', message: 'must be percent-encoded UTF-8' }]);
  }
  return new Problem(
    'internal',
    'Unexpected error. The service logged the cause with this request id.',
    {
      cause: error,
    },
  );
}
