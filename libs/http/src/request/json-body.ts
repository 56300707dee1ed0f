import type { FieldError } from '@engawa/errors';
import { Problem } from '@engawa/errors';
import { parseExactJson } from '@engawa/model';
import { bodyBytes } from './body-bytes.ts';
import type { ExchangeRequest } from '../route/exchange.ts';
import type { TransferLimits } from '../guards/watch-transfer.ts';
import type { Route } from '../route/route.ts';

/** RFC 7396. */
export const mergePatchType = 'application/merge-patch+json';

/** After decompression. */
const maxJsonBodyBytes = 1_000_000;
export interface JsonBodyOptions {
  /** Whether numbers keep all digits (`parseExactJson`). */
  exact: boolean;
  transfer: TransferLimits;
  /** The accepted media types. */
  types: readonly string[];
}

/**
 * The accepted media types of a JSON body. In a PATCH, absent fields stay unchanged and null removes an optional field,
 * under either media type. The catalog merges the values of maps only under that of merge patches.
 */
export function jsonTypesOf({ method }: Pick<Route, 'method'>): readonly string[] {
  return method === 'patch' ? ['application/json', mergePatchType] : ['application/json'];
}

/**
 * Reads and parses a JSON body: its value, undefined for an empty body, or the error where it is not JSON.
 * @throws Problem `unsupported-media-type`, `payload-too-large`, `request-timeout` or `invalid-request`
 */
export async function readJson(
  request: ExchangeRequest,
  { exact, transfer, types }: JsonBodyOptions,
): Promise<{ value: unknown } | { error: FieldError }> {
  const type = request.is([...types]);
  // Some clients send `Content-Length: 0` without a body.
  if (type === null || request.get('content-length') === '0') return { value: undefined };
  if (type === false) {
    const given = request.get('content-type') ?? 'none';
    throw new Problem(
      'unsupported-media-type',
      `The media type of the body must be ${types.join(' or ')}; the request has ${given}.`,
    );
  }
  const parts: Buffer[] = [];
  for await (const chunk of bodyBytes(request, { maxBytes: maxJsonBodyBytes, transfer }))
    parts.push(chunk);
  return parts.length === 0 ? { value: undefined } : parse(Buffer.concat(parts), exact);
}

/** Parses JSON in UTF-8; a byte order mark is ignored (RFC 8259, section 8.1). */
function parse(bytes: Buffer, exact: boolean): { value: unknown } | { error: FieldError } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { value: exact ? parseExactJson(text) : (JSON.parse(text) as unknown) };
  } catch (error) {
    if (error instanceof RangeError) {
      return { error: { path: 'body', message: 'is nested too deeply' } };
    }
    const position = /at position (\d+)/.exec(String(error))?.[1];
    const where = position === undefined ? '' : `; the error is at character ${position}`;
    const what = error instanceof SyntaxError ? 'JSON' : 'UTF-8';
    return { error: { path: 'body', message: `is not valid ${what}${where}` } };
  }
}
