/** A fault of a request: where it is, such as `query.limit`, and what is wrong. */
export interface RequestFault {
  path: string;
  message: string;
}

/** A refusal as RFC 9457 has it; `type` is stable, such as `entity-not-found` (docs/reference/errors.md). */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly type: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Finds the lines of the service's log. */
  readonly requestId: string | undefined;
  readonly errors: readonly RequestFault[];

  constructor(status: number, problem: Readonly<Record<string, unknown>>) {
    const text = (name: string): string | undefined =>
      typeof problem[name] === 'string' ? problem[name] : undefined;
    const title = text('title') ?? 'The answer is not one of Engawa';
    const detail = text('detail') ?? title;
    super(`${status} ${title}: ${detail}`);
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.type = text('type')?.replace(/^\/problems\//, '') ?? 'unknown';
    this.requestId = text('requestId');
    this.errors = Array.isArray(problem['errors']) ? (problem['errors'] as RequestFault[]) : [];
  }
}

/** @returns what the answer says of the refusal, also where something else than a service answered */
export async function problemOf(response: Response): Promise<ProblemError> {
  const text = await response.text();
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) {
      return new ProblemError(response.status, value as Record<string, unknown>);
    }
  } catch {
    // A proxy answered, or the answer broke off.
  }
  return new ProblemError(response.status, { detail: text.slice(0, 200) });
}
