/** An invalid field of a request: its path, such as `query.limit`, and a message. */
export interface FieldError {
  path: string;
  message: string;
}

/** A problem response (RFC 9457). Its `type` is stable, such as `entity-not-found` (docs/reference/errors.md). */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly type: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;
  readonly errors: readonly FieldError[];

  constructor(status: number, problem: Readonly<Record<string, unknown>>) {
    const text = (name: string): string | undefined =>
      typeof problem[name] === 'string' ? problem[name] : undefined;
    const title = text('title') ?? 'The response is not of Engawa';
    const detail = text('detail') ?? title;
    super(`${status} ${title}: ${detail}`);
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.type = text('type')?.replace(/^\/problems\//, '') ?? 'unknown';
    this.requestId = text('requestId');
    this.errors = Array.isArray(problem['errors']) ? (problem['errors'] as FieldError[]) : [];
  }
}

/** Parses a problem response, also one of a proxy that is not in problem format. */
export function problemOf({ status, headers }: Response, text: string): ProblemError {
  const type = headers.get('content-type') ?? 'no media type';
  const detail = `${type}, perhaps of a proxy: ${text.slice(0, 200)}`;
  const unknown = { title: 'The response is not of Engawa', detail };
  return new ProblemError(status, parseProblem(text) ?? unknown);
}

/** The object of a JSON text; undefined for any other text, such as a truncated one. */
export function parseProblem(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
