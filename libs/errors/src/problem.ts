import type { ProblemCode } from './problem-types.ts';

/** An invalid field of the input: its `path`, such as `query.limit`, and a message about it. */
export interface FieldError {
  path: string;
  message: string;
}

/**
 * A request that is rejected or failed. The `detail` (the message) is sent to the client; `cause`
 * is for the log only.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly fieldErrors: readonly FieldError[];
  /** Seconds after which a retry may succeed, where that is known. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    more: { fieldErrors?: FieldError[]; cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(detail, { cause: more.cause });
    this.code = code;
    this.fieldErrors = more.fieldErrors ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}
