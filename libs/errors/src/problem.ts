/**
 * Everything that Engawa refuses or cannot do, by a stable code. No HTTP here: `libs/http` maps each
 * code to a status. `title` never changes for a code; what was wrong this time is the `detail`.
 */
export const catalogue = {
  'invalid-request': {
    title: 'The request is not valid',
    advice: 'Correct the parts named in `errors` and send it again.',
  },
  'invalid-cursor': {
    title: 'The cursor is not valid for this question',
    advice: 'Use a cursor as it was given, with the same parameters, or start without one.',
  },
  'unsupported-media-type': {
    title: 'The body is of a type that is not taken here',
    advice: 'Send one of the media types that the OpenAPI document names for this route.',
  },
  'payload-too-large': {
    title: 'The body is too large',
    advice: 'Send less at once.',
  },
  'route-not-found': {
    title: 'There is nothing at this address',
    advice: 'See /openapi.json for the routes of this service.',
  },
  'method-not-allowed': {
    title: 'This address does not take that method',
    advice: 'Use one of the methods named in the Allow header.',
  },
  'device-not-found': {
    title: 'There is no such device',
    advice: 'List the devices with GET /v1/devices of the registry service.',
  },
  'dead-letter-not-found': {
    title: 'There is no such dead letter',
    advice:
      'It has expired, been discarded or been stored by a replay. List those there are with GET /v1/deadLetters of the ingestion service.',
  },
  'version-mismatch': {
    title: 'It has been changed by somebody else',
    advice: 'Read it again, apply the change to what it is now, and send that with its ETag.',
  },
  'table-throttled': {
    title: 'The table is throttling requests',
    advice: 'Wait as long as Retry-After says and try again.',
  },
  'table-unavailable': {
    title: 'The table cannot be reached',
    advice: 'Try again later; the /readyz probe of this service says what is missing.',
  },
  internal: {
    title: 'Something went wrong inside the service',
    advice: 'Report the request id; the log of the service has the cause under it.',
  },
} as const satisfies Record<string, { title: string; advice: string }>;

export type ProblemCode = keyof typeof catalogue;

/** One place in the input that is wrong: `path` such as `query.limit`, and a sentence about it. */
export interface Fault {
  path: string;
  message: string;
}

/** An answer of "no" that the asker may read: `detail` is public, `cause` is for the log only. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly faults: readonly Fault[];

  constructor(code: ProblemCode, detail: string, more: { faults?: Fault[]; cause?: unknown } = {}) {
    super(detail, { cause: more.cause });
    this.code = code;
    this.faults = more.faults ?? [];
  }
}
