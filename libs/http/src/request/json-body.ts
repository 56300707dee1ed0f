import type { FieldError } from '@engawa/errors';
import { Problem } from '@engawa/errors';
import { parseExactJson } from '@engawa/model';
import { bodyBytes } from './body-bytes.ts';
import type { ExchangeRequest } from '../route/exchange.ts';
import type { TransferLimits } from '../guards/watch-transfer.ts';
import type { Route } from '../route/route.ts';

/** Bytes, after decompression. */
const maxJsonBodyBytes = 1_000_000;
export interface JsonBodyOptions {
  /** Whether numbers keep every digit. */
  exact: boolean;
  transfer: TransferLimits;
  /** The media types that are taken. */
  types: readonly string[];
}

/**
 * The media types of a JSON body. What a PATCH takes is a merge patch (RFC 7396) under either name: what is not named stays
 * as it is, null takes away what may be taken away.
 */
export function jsonTypesOf({ method }: Pick<Route, 'method'>): readonly string[] {
  return method === 'patch'
    ? ['application/json', 'application/merge-patch+json']
    : ['application/json'];
}

/**
 * The JSON in a request's body, its numbers to the digit where that is asked for; undefined where there is no body, a fault where it is not JSON.
 * @throws Problem `unsupported-media-type`, `payload-too-large`, `request-timeout` or `invalid-request`
 */
export async function readJson(
  request: ExchangeRequest,
  { exact, transfer, types }: JsonBodyOptions,
): Promise<{ value: unknown } | { error: FieldError }> {
  const type = request.is([...types]);
  // Some clients say a length of nothing rather than nothing.
  if (type === null || request.get('content-length') === '0') return { value: undefined };
  if (type === false) {
    const given = request.get('content-type') ?? 'of no type';
    throw new Problem('unsupported-media-type', `The body is ${given}, not ${types.join(' or ')}.`);
  }
  const parts: Buffer[] = [];
  for await (const chunk of bodyBytes(request, { maxBytes: maxJsonBodyBytes, transfer }))
    parts.push(chunk);
  return parts.length === 0 ? { value: undefined } : parse(Buffer.concat(parts), exact);
}

/** RFC 8259 section 8.1: UTF-8, and a byte order mark may be ignored. */
function parse(bytes: Buffer, exact: boolean): { value: unknown } | { error: FieldError } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { value: exact ? parseExactJson(text) : (JSON.parse(text) as unknown) };
  } catch (error) {
    if (error instanceof RangeError) {
      return { error: { path: 'body', message: 'must not be nested that deeply' } };
    }
    const position = /at position (\d+)/.exec(String(error))?.[1];
    const where = position === undefined ? '' : `, from character ${position} on`;
    const what = error instanceof SyntaxError ? 'JSON' : 'UTF-8';
    return { error: { path: 'body', message: `must be ${what}, which it is not${where}` } };
  }
}
