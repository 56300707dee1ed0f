import { Problem } from '@engawa/errors';
import type { ProblemCode } from '@engawa/errors';

/**
 * The statuses of errors of Express' body parser and static files (http-errors). 403, for a path outside of the folder,
 * does not say which paths exist (RFC 9110, section 15.5.5).
 */
const problems: Readonly<Record<number, readonly [ProblemCode, string]>> = {
  403: ['route-not-found', 'The console has no such file.'],
  404: ['route-not-found', 'The console has no such file.'],
  408: ['request-timeout', 'The body did not arrive in time.'],
  412: ['version-mismatch', 'A precondition of the request does not match the file.'],
  413: ['payload-too-large', 'The body is too large.'],
  415: ['unsupported-media-type', 'The body has an unsupported encoding or character set.'],
  416: ['range-not-satisfiable', 'The file has no such range of bytes.'],
};

/** The error as a Problem, where the client has caused it; all other errors unchanged. */
export function clientError(error: unknown): unknown {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 0;
  // A URIError of Express' router, with its own text in libs/http.
  if (error instanceof Problem || error instanceof URIError || status < 400 || status >= 500) {
    return error;
  }
  const [code, detail] = problems[status] ?? ['invalid-request', invalidRequest(error)];
  return new Problem(code, detail, { cause: error });
}

function invalidRequest(error: unknown): string {
  const isJson = error instanceof Error && 'type' in error && error.type === 'entity.parse.failed';
  return isJson ? 'The body is not valid JSON.' : 'The request or its body is malformed.';
}
