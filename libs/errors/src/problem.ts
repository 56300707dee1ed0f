/**
 * Everything that Engawa refuses or cannot do, by a stable code. No HTTP here: `libs/http` maps each
 * code to a status. `title` never changes for a code; what was wrong this time is the `detail`.
 */
export const problemTypes = {
  'invalid-request': {
    title: 'The request is not valid',
    advice: 'Correct the parts named in `errors` and send it again.',
  },
  'invalid-cursor': {
    title: 'The cursor is not valid for this request',
    advice: 'Use a cursor as it was given, with the same parameters, or start without one.',
  },
  'unsupported-media-type': {
    title: 'Unsupported media type',
    advice: 'Send one of the media types that the OpenAPI document names for this route.',
  },
  'payload-too-large': {
    title: 'The body is too large',
    advice: 'Send less at once.',
  },
  'request-timeout': {
    title: 'The request body arrives too slowly',
    advice:
      'Send it again, at no less than MIN_TRANSFER_BYTES_PER_SECOND (10,000 bytes a second unless configured otherwise), or in smaller parts.',
  },
  'headers-too-large': {
    title: 'The URL and headers are too large',
    advice: 'Send less in them: fewer ids at once, a shorter filter, a smaller token.',
  },
  'route-not-found': {
    title: 'Not found: no such route',
    advice: 'See /openapi.json for the routes of this service.',
  },
  'method-not-allowed': {
    title: 'Method not allowed',
    advice: 'Use one of the methods named in the Allow header.',
  },
  'device-not-found': {
    title: 'Device not found',
    advice: 'List the devices with GET /v1/devices of the registry service.',
  },
  'place-not-found': {
    title: 'Place not found',
    advice: 'List the places with GET /v1/places of the registry service.',
  },
  'room-not-found': {
    title: 'Room not found',
    advice: 'List the rooms of a place with GET /v1/places/{id}/rooms of the registry service.',
  },
  'placement-not-found': {
    title: 'The device is not at this place',
    advice: 'Ask the registry service for the device: it says where it is.',
  },
  'already-exists': {
    title: 'The resource already exists',
    advice: 'Leave If-None-Match out to change what is there, or choose another id.',
  },
  'being-deleted': {
    title: 'A resource of the same id is still being deleted',
    advice: 'Wait as long as Retry-After says and try again, or choose another id.',
  },
  'history-conflict': {
    title: "Conflicts with the device's placement history",
    advice: 'Give a `since` behind the last move of the device.',
  },
  'correction-not-found': {
    title: 'Correction not found',
    advice:
      'List those of the device with GET /v1/devices/{id}/corrections of the registry service.',
  },
  'correction-exists': {
    title: 'The id belongs to another correction',
    advice: 'Choose another id: a correction is not changed, and its id not used again.',
  },
  'too-many-corrections': {
    title: 'The device has the maximum number of corrections',
    advice: 'Correct longer ranges at once, or delete the device with its readings.',
  },
  'dead-letter-not-found': {
    title: 'Dead letter not found',
    advice:
      'It has expired, been discarded or been stored by a replay. List those there are with GET /v1/deadLetters of the ingestion service.',
  },
  'type-not-found': {
    title: 'Entity type not found',
    advice: 'List the types with GET /v1/types, or declare it with PUT /v1/types/{type}.',
  },
  'type-in-use': {
    title: 'Existing entities do not fit the change',
    advice: 'Leave in place what the `errors` name, or delete the entities first.',
  },
  'entity-not-found': {
    title: 'Entity not found',
    advice: 'List the entities of a type with GET /v1/entities/{type}.',
  },
  'search-not-found': {
    title: 'Search or ranking not found',
    advice: 'See GET /v1/types/{type} for those it has, or declare it there.',
  },
  'search-building': {
    title: 'The search is still being built',
    advice: 'Wait as long as Retry-After says; GET /v1/types/{type} shows how far it is.',
  },
  'related-entity-not-found': {
    title: 'Related entity not found',
    advice: 'Make the entities that the `errors` name first.',
  },
  'still-related': {
    title: 'Other entities relate to this entity',
    advice: 'Take away those relations first, or send `detach=true` to have it done.',
  },
  'not-unique': {
    title: 'Another entity has this value of a unique attribute',
    advice: 'Give the attribute that the `errors` name another value.',
  },
  'transaction-too-large': {
    title: 'Too many operations for one transaction',
    advice: 'Send fewer operations at once, or entities with fewer relations and searches.',
  },
  'full-text-unavailable': {
    title: 'The full-text index is unavailable',
    advice: 'Try again later; the log of the service says what is wrong with it.',
  },
  'full-text-timeout': {
    title: 'The full-text search took too long',
    advice: 'Ask for more words or longer ones, or for fewer types; or try again later.',
  },
  'full-text-too-large': {
    title: 'The full-text index is full',
    advice:
      'Raise FULL_TEXT_MAX_BYTES, give the catalog an OpenSearch (SEARCH_URL), or index fewer attributes and send POST /v1/search/rebuild.',
  },
  'version-mismatch': {
    title: 'The resource has changed since it was read',
    advice: 'Read it again, apply the change to what it is now, and send that with its ETag.',
  },
  'condition-failed': {
    title: 'A condition of the request is not met',
    advice: 'The `errors` name the condition and what is there instead; nothing was changed.',
  },
  unauthenticated: {
    title: 'Authentication required',
    advice:
      'Send a valid token of the configured issuer in the Authorization header, as `Bearer …`.',
  },
  forbidden: {
    title: 'The token does not allow this',
    advice: 'Ask for a token with the scope that the `detail` names.',
  },
  'keys-unavailable': {
    title: "The token issuer's signing keys are unavailable",
    advice: 'Try again later; the log of the service says what its issuer answers.',
  },
  'rate-limited': {
    title: 'Too many requests',
    advice: 'Wait as long as Retry-After says; the RateLimit headers tell how many are left.',
  },
  'too-many-at-once': {
    title: 'Too many concurrent requests from one client',
    advice: 'Wait for answers before sending more requests; Retry-After says how long at least.',
  },
  overloaded: {
    title: 'The service is overloaded',
    advice: 'Wait as long as Retry-After says and try again.',
  },
  'deadline-exceeded': {
    title: 'The request timed out',
    advice: 'Ask for less: a shorter range, fewer devices, a smaller limit.',
  },
  'not-acceptable': {
    title: 'Not acceptable',
    advice: 'Accept one of the media types that the OpenAPI document names for this route.',
  },
  'table-throttled': {
    title: 'DynamoDB is throttling requests',
    advice: 'Wait as long as Retry-After says and try again.',
  },
  'table-unavailable': {
    title: 'DynamoDB is unreachable',
    advice: 'Try again later; the /readyz probe of this service says what is missing.',
  },
  'not-supported-by-table': {
    title: 'The DynamoDB API does not support this operation',
    advice:
      'Trying again does not help: the service needs a DynamoDB API that can. docs/deploy.md says which cannot do what.',
  },
  internal: {
    title: 'Internal error',
    advice: 'Report the request id; the log of the service has the cause under it.',
  },
} as const satisfies Record<string, { title: string; advice: string }>;

export type ProblemCode = keyof typeof problemTypes;

/** One place in the input that is wrong: `path` such as `query.limit`, and a sentence about it. */
export interface FieldError {
  path: string;
  message: string;
}

/** An answer of "no" that the asker may read: `detail` is public, `cause` is for the log only. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly fieldErrors: readonly FieldError[];
  /** When trying again may help, where that is known. */
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
