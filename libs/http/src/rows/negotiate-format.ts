import { Problem } from '@engawa/errors';
import type { ExchangeRequest, ExchangeResponse } from '../route/exchange.ts';

/** The forms of a list; the first is given where the client does not care. */
const forms = ['application/json', 'application/x-ndjson', 'text/csv'] as const;

export type ListMediaType = (typeof forms)[number];

/** What clients add to the names of the forms, and what they get is that already (RFC 8259, RFC 4180). */
const parameters = ['', '; charset=utf-8', '; header=present', '; charset=utf-8; header=present'];

/** All names of the forms, the first form first. */
const spellings = forms.flatMap((form) => parameters.map((parameter) => form + parameter));

/**
 * The form that the Accept header asks for, by its weights (RFC 9110 section 12.5.1).
 * @throws Problem `not-acceptable`
 */
export function acceptedForm(request: ExchangeRequest, response: ExchangeResponse): ListMediaType {
  response.vary('Accept');
  const accepted = request.accepts(spellings);
  const form = forms.find((name) => accepted !== false && accepted.startsWith(name));
  if (form === undefined) {
    throw new Problem('not-acceptable', `This address gives ${forms.join(', ')}.`);
  }
  return form;
}
