/**
 * The problem types (RFC 9457) of all services by their stable codes, without HTTP: `libs/http` maps each code to a
 * status. All problems of a code have the same `title`; the `detail` of a problem describes the single occurrence.
 */
export const problemTypes = {
  'invalid-request': {
    title: 'The request is not valid',
    advice: 'Correct the fields named in `errors` and send the request again.',
  },
  'invalid-cursor': {
    title: 'The cursor is not valid for this request',
    advice: 'Send the cursor unchanged and with the same parameters, or start again without one.',
  },
  'unsupported-media-type': {
    title: 'Unsupported media type',
    advice: 'Send one of the media types that the OpenAPI document names for this route.',
  },
  'payload-too-large': {
    title: 'The body is too large',
    advice: 'Split the body into several requests.',
  },
  'range-not-satisfiable': {
    title: 'The file has no such range',
    advice: 'Send a range within the size that the Content-Range header names, or none.',
  },
  'request-timeout': {
    title: 'The request body arrives too slowly',
    advice:
      'Send the request again at MIN_TRANSFER_BYTES_PER_SECOND or faster (10,000 bytes a second by default), or split it into smaller requests.',
  },
  'headers-too-large': {
    title: 'The URL and headers are too large',
    advice:
      'Shorten the URL or the headers: fewer ids in one request, a shorter filter, a smaller token.',
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
    advice:
      'Read the current place of the device with GET /v1/devices/{id} of the registry service.',
  },
  'already-exists': {
    title: 'The resource already exists',
    advice: 'Omit If-None-Match to change the existing resource, or choose another id.',
  },
  'being-deleted': {
    title: 'A resource with this id is still being deleted',
    advice: 'Retry after the time in Retry-After, or choose another id.',
  },
  'history-conflict': {
    title: "The time conflicts with the device's placement history",
    advice: 'Set `since` to a time after the last move of the device.',
  },
  'correction-not-found': {
    title: 'Correction not found',
    advice:
      'List the corrections of the device with GET /v1/devices/{id}/corrections of the registry service.',
  },
  'correction-exists': {
    title: 'The id belongs to another correction',
    advice: 'Choose another id: corrections are immutable, and their ids are not reused.',
  },
  'too-many-corrections': {
    title: 'The device has the maximum number of corrections',
    advice:
      'Cover longer time ranges with each correction, with fewer replacement readings, or delete the device.',
  },
  'dead-letter-not-found': {
    title: 'Dead letter not found',
    advice:
      'The dead letter has expired, was discarded or was stored by a replay. List the existing ones with GET /v1/deadLetters of the ingestion service.',
  },
  'type-not-found': {
    title: 'Entity type not found',
    advice: 'List the types with GET /v1/types, or declare this one with PUT /v1/types/{type}.',
  },
  'type-in-use': {
    title: 'The type is in use',
    advice:
      'Keep the parts of the type that `errors` names, or delete the entities of the type first.',
  },
  'type-changing': {
    title: 'The type is being changed or deleted',
    advice: 'Retry after the time in Retry-After: until then, the type accepts no new entities.',
  },
  'entity-not-found': {
    title: 'Entity not found',
    advice: 'List the entities of a type with GET /v1/entities/{type}.',
  },
  'relation-not-found': {
    title: 'The entities are not related',
    advice: 'List the related entities with GET /v1/entities/{type}/{id}/related/{otherType}.',
  },
  'search-not-found': {
    title: 'Search or ranking not found',
    advice:
      'GET /v1/types/{type} lists the searches and rankings of the type; declare a new one with PUT.',
  },
  'search-building': {
    title: 'The search is still being built',
    advice: 'Retry after the time in Retry-After; GET /v1/types/{type} shows the progress.',
  },
  'related-entity-not-found': {
    title: 'Related entity not found',
    advice: 'Create the entities that `errors` names first.',
  },
  'still-related': {
    title: 'Other entities relate to this entity',
    advice: 'Remove these relations first, or send `detach=true` to remove them with the entity.',
  },
  'not-unique': {
    title: 'Another entity has this value of a unique attribute',
    advice: 'Choose another value for the attribute that `errors` names.',
  },
  'transaction-too-large': {
    title: 'Too many operations for one transaction',
    advice:
      'Send fewer operations in one transaction, or entities with fewer relations and searches.',
  },
  'full-text-unavailable': {
    title: 'The full-text index is unavailable',
    advice: 'Retry later; the log of the service has the cause.',
  },
  'full-text-timeout': {
    title: 'The full-text search took too long',
    advice: 'Search for more or longer words, or in fewer types; or retry later.',
  },
  'full-text-too-large': {
    title: 'The full-text index is full',
    advice:
      'Raise FULL_TEXT_MAX_BYTES, use OpenSearch (SEARCH_URL), or index fewer attributes and send POST /v1/search/rebuild.',
  },
  'version-mismatch': {
    title: 'The resource has changed since it was read',
    advice:
      'Read the resource again, apply the change to its current state, and send the result with the new ETag.',
  },
  'too-many-conflicts': {
    title: 'Too many concurrent changes of one resource',
    advice:
      'Retry after the time in Retry-After, and send changes of this resource one after the other. Other clients changed it before each attempt of the service.',
  },
  'condition-failed': {
    title: 'A condition of the request is not met',
    advice:
      'Read the current state: `errors` names the condition and the actual value. The request changed nothing.',
  },
  unauthenticated: {
    title: 'Authentication required',
    advice:
      'Send a valid token of the configured issuer in the Authorization header, as `Bearer …`.',
  },
  forbidden: {
    title: 'The token does not allow this operation',
    advice: 'Request a token with the scope that `detail` names.',
  },
  'beyond-places': {
    title: 'The change reaches beyond the places of the token',
    advice:
      'Send a change that concerns only the time of the device at the places of the token, as `detail` says, or use a token that is not restricted to places.',
  },
  'cross-site-request': {
    title: 'A request of another site is refused',
    advice:
      'Send changes from the pages of the console, or from a program, which sends neither Sec-Fetch-Site nor Origin.',
  },
  'host-refused': {
    title: 'The host name is not allowed',
    advice:
      'Use the address of the service or `localhost`, add the name to ALLOWED_HOSTS (`auth.allowedHosts` of the chart), or set AUTH_MODE to jwt.',
  },
  'keys-unavailable': {
    title: "The token issuer's signing keys are unavailable",
    advice: 'Retry later; the log of the service has the response of the issuer.',
  },
  'issuer-unavailable': {
    title: 'The token issuer is unavailable',
    advice:
      'Retry later; check that the issuer runs and that AUTH_ISSUER of the console has its URL.',
  },
  'rate-limited': {
    title: 'Too many requests',
    advice:
      'Retry after the time in Retry-After; the RateLimit headers have the number of remaining requests.',
  },
  'too-many-at-once': {
    title: 'Too many concurrent requests from one client',
    advice: 'Send fewer requests concurrently; retry after the time in Retry-After.',
  },
  'service-unreachable': {
    title: 'The service is unreachable',
    advice: 'Check that the service runs and that the console has its URL, then retry.',
  },
  'service-closing': {
    title: 'The service is closing',
    advice:
      'Retry after the time in Retry-After: another replica answers, or this one after its start.',
  },
  overloaded: {
    title: 'The service is overloaded',
    advice: 'Retry after the time in Retry-After.',
  },
  'deadline-exceeded': {
    title: 'The request timed out',
    advice:
      'Retry after the time in Retry-After. If the problem persists, request less data: a shorter time range, fewer devices, a smaller limit.',
  },
  'not-acceptable': {
    title: 'Not acceptable',
    advice: 'Accept one of the media types that the OpenAPI document names for this route.',
  },
  'table-throttled': {
    title: 'DynamoDB temporarily rejects the request',
    advice: 'Retry after the time in Retry-After.',
  },
  'table-unavailable': {
    title: 'The service cannot use the table',
    advice: 'Retry later; the /readyz probe of this service has the cause.',
  },
  'not-supported-by-table': {
    title: 'The DynamoDB API does not support this operation',
    advice:
      'Do not retry: the service needs a DynamoDB API with this operation. docs/deploy.md lists what each API lacks.',
  },
  internal: {
    title: 'Internal error',
    advice: 'Report the request id; the log of the service has the cause under this id.',
  },
} as const satisfies Record<string, { title: string; advice: string }>;

export type ProblemCode = keyof typeof problemTypes;
