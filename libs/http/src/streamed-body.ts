import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Problem } from '@engawa/errors';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { ExchangeRequest } from './exchange.ts';
import type { Route } from './route.ts';

/** What a route says of a body that it reads piece by piece. */
export interface StreamedBody {
  /** The media types that are taken; the schemas are for the contract alone, nothing is checked with them. */
  types: Readonly<Record<string, z.ZodType>>;
  /** Bytes, after decompression. */
  limit: number;
}

/** A body as it comes in. What is not read yet waits with the client. */
export interface BodyStream {
  /** Of the declared media types, that of this body. */
  type: string;
  /**
   * To be read once. Ends with a Problem: `payload-too-large` once the limit is passed, `invalid-request` where the body
   * is not whole or not encoded as its headers say.
   */
  chunks: AsyncIterable<Buffer>;
}

/** The content encodings that are taken; the same as of bodies that are read whole. */
const decompressors = new Map<string, () => Readable & NodeJS.WritableStream>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

export const emptyStream: BodyStream = { type: '', chunks: noChunks() };

/** @throws Problem where it is clear from the headers that the body will not be taken */
export function openStream({ types, limit }: StreamedBody, request: ExchangeRequest): BodyStream {
  const type = request.is(Object.keys(types));
  const encoding = request.get('content-encoding')?.toLowerCase() ?? 'identity';
  // Some clients say a length of nothing rather than nothing.
  const isEmpty = request.get('content-length') === '0';
  if (type === null || (type === false && isEmpty)) throw unreadable('is required');
  if (type === false) {
    const given = request.get('content-type') ?? 'of no type';
    const taken = Object.keys(types).join(' or ');
    throw new Problem('unsupported-media-type', `The body is ${given}, not ${taken}.`);
  }
  if (encoding !== 'identity' && !decompressors.has(encoding)) {
    const detail = 'The body is in a content encoding that is not taken here.';
    throw new Problem('unsupported-media-type', detail);
  }
  if (Number(request.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  return { type, chunks: read(request, encoding, limit) };
}

/** Milliseconds for what is left of a body that nobody reads any more. */
const longestRest = 30_000;

/**
 * Lets the rest of a body that the handler left unread run off, or the answer could be lost behind it: a connection that
 * is closed with data unread is reset.
 */
export function discardRest(route: Route, request: ExchangeRequest): void {
  if (route.streamed === undefined || request.readableEnded) return;
  request.unpipe();
  request.on('error', () => undefined); // nobody is left to mind that the client hangs up
  const timer = setTimeout(() => request.destroy(), longestRest).unref();
  request.once('close', () => clearTimeout(timer));
  request.resume();
}

/**
 * Whether the client has kept us waiting for longer than half a minute and 10 KB a second: as long as it sends, it takes one of
 * the requests that may be in flight. What we take for what it has sent does not count.
 */
export function isTooSlow({ waitedMs, bytes }: { waitedMs: number; bytes: number }): boolean {
  return waitedMs > 30_000 + bytes / 10;
}

async function* read(
  request: ExchangeRequest,
  encoding: string,
  limit: number,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  let waitedMs = 0;
  try {
    // Not destroyed when the reader leaves early: that would close the connection before the answer.
    const chunks = decompressed(request, encoding).iterator({ destroyOnReturn: false });
    let askedAt = performance.now();
    for await (const chunk of chunks) {
      waitedMs += performance.now() - askedAt;
      bytes += (chunk as Buffer).length;
      if (bytes > limit) throw tooLarge(limit);
      if (isTooSlow({ waitedMs, bytes })) throw unreadable('must come in faster: 10 KB a second');
      yield chunk as Buffer;
      askedAt = performance.now();
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw unreadable('must be whole, and encoded as its headers say', error);
  }
}

function decompressed(request: ExchangeRequest, encoding: string): Readable {
  const decompressor = decompressors.get(encoding)?.();
  if (decompressor === undefined) return request;
  // Not `pipeline`, which closes the connection where the body is not what its headers say.
  request.once('error', (error) => decompressor.destroy(error));
  request.once('close', () => {
    if (!request.complete) decompressor.destroy(new Error('the client hung up'));
  });
  return request.pipe(decompressor);
}

function tooLarge(limit: number): Problem {
  return new Problem('payload-too-large', `The body is larger than ${limit} bytes.`);
}

function unreadable(message: string, cause?: unknown): Problem {
  const faults = [{ path: 'body', message }];
  return new Problem('invalid-request', `body ${message}.`, { faults, cause });
}

async function* noChunks(): AsyncGenerator<Buffer> {
  // Nothing to give.
}
