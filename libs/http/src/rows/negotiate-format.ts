import { Problem } from '@engawa/errors';
import type { ExchangeRequest, ExchangeResponse } from '../route/exchange.ts';

/** The media types of a list; the first one is the default. */
const mediaTypes = ['application/json', 'application/x-ndjson', 'text/csv'] as const;

export type ListMediaType = (typeof mediaTypes)[number];

/** Media type parameters that clients may send; the responses match all of them (RFC 8259, RFC 4180). */
const parameters = ['', '; charset=utf-8', '; header=present', '; charset=utf-8; header=present'];

const spellingsOf = (types: readonly string[]) =>
  types.flatMap((type) => parameters.map((parameter) => type + parameter));

/** All media types with all parameters, the default type first. */
const spellings = spellingsOf(mediaTypes);

/**
 * Selects the media type of a list by the Accept header and its weights (RFC 9110, section 12.5.1).
 * @throws Problem `not-acceptable`
 */
export function negotiateFormat(
  request: ExchangeRequest,
  response: ExchangeResponse,
): ListMediaType {
  response.vary('Accept');
  const accepted = request.accepts(spellings);
  const type = mediaTypes.find((name) => accepted !== false && accepted.startsWith(name));
  if (type === undefined) {
    throw new Problem(
      'not-acceptable',
      `This route responds with one of ${mediaTypes.join(', ')}.`,
    );
  }
  return type;
}

/**
 * Refuses a request whose Accept header excludes the only media type of its route.
 * @throws Problem `not-acceptable`
 */
export function requireAcceptable(request: ExchangeRequest, type: string): void {
  const { accept = '*/*' } = request.headers;
  if (accept === '*/*' || accept === type) return;
  if (request.accepts(spellingsOf([type])) !== false) return;
  throw new Problem('not-acceptable', `This route responds with ${type} only.`);
}
