import type { Fault } from '@engawa/errors';
import { Problem } from '@engawa/errors';
import express from 'express';
import { parseExactJson } from '@engawa/model';
import type { ExchangeHandler, ExchangeRequest, ExchangeResponse } from './exchange.ts';

/** Bytes, after decompression. */
const largestBody = 1_000_000;
/** Milliseconds that it may take to come in. */
const longestArrival = 30_000;

const readBytes: ExchangeHandler = express.raw({ type: () => true, limit: largestBody });

/**
 * The JSON in a request's body, its numbers to the digit where that is asked for; undefined where there is no body, a fault where it is not JSON.
 * @throws Problem `unsupported-media-type`, `payload-too-large` or `invalid-request`
 */
export async function readJson(
  request: ExchangeRequest,
  response: ExchangeResponse,
  { exact }: { exact: boolean },
): Promise<{ value: unknown } | { fault: Fault }> {
  const type = request.is('application/json');
  // Some clients say a length of nothing rather than nothing.
  if (type === null || request.get('content-length') === '0') return { value: undefined };
  if (type === false) {
    const given = request.get('content-type') ?? 'of no type';
    throw new Problem('unsupported-media-type', `The body is ${given}, not application/json.`);
  }
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => reject(lateBody()), longestArrival);
  void readBytes(request, response, (error?: unknown) => {
    if (error === undefined) resolve(undefined);
    else reject(bodyProblem(error));
  });
  await promise.finally(() => clearTimeout(timer));
  const bytes: unknown = request.body;
  return Buffer.isBuffer(bytes) && bytes.length > 0 ? parse(bytes, exact) : { value: undefined };
}

/** RFC 8259 section 8.1: UTF-8, and a byte order mark may be ignored. */
function parse(bytes: Buffer, exact: boolean): { value: unknown } | { fault: Fault } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { value: exact ? parseExactJson(text) : (JSON.parse(text) as unknown) };
  } catch (error) {
    if (error instanceof RangeError) {
      return { fault: { path: 'body', message: 'must not be nested that deeply' } };
    }
    const position = /at position (\d+)/.exec(String(error))?.[1];
    const where = position === undefined ? '' : `, from character ${position} on`;
    const what = error instanceof SyntaxError ? 'JSON' : 'UTF-8';
    return { fault: { path: 'body', message: `must be ${what}, which it is not${where}` } };
  }
}

function lateBody(): Problem {
  const message = `must have come in within ${longestArrival / 1000} s`;
  return new Problem('invalid-request', `body ${message}.`, {
    faults: [{ path: 'body', message }],
  });
}

/** Express' errors while reading a body carry the status that is meant. */
function bodyProblem(error: unknown): Problem {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) {
    const detail = `The body is larger than ${largestBody} bytes.`;
    return new Problem('payload-too-large', detail, { cause: error });
  }
  if (status === 415) {
    const detail = 'The body is in a content encoding that is not taken here.';
    return new Problem('unsupported-media-type', detail, { cause: error });
  }
  const faults = [{ path: 'body', message: 'must be whole, and encoded as its headers say' }];
  return new Problem('invalid-request', 'The body cannot be read.', { faults, cause: error });
}
