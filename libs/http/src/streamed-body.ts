import { Problem } from '@engawa/errors';
import { bodyBytes, unreadable } from './body-bytes.ts';
import type { z } from 'zod';
import type { ExchangeRequest } from './exchange.ts';
import type { TransferLimits } from './guards/watch-transfer.ts';
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

export const emptyStream: BodyStream = { type: '', chunks: noChunks() };

/** @throws Problem where it is clear from the headers that the body will not be taken */
export function openStream(
  { types, limit }: StreamedBody,
  request: ExchangeRequest,
  transfer: TransferLimits,
): BodyStream {
  const type = request.is(Object.keys(types));
  // Some clients say a length of nothing rather than nothing.
  const isEmpty = request.get('content-length') === '0';
  if (type === null || (type === false && isEmpty)) throw unreadable('is required');
  if (type === false) {
    const given = request.get('content-type') ?? 'of no type';
    const taken = Object.keys(types).join(' or ');
    throw new Problem('unsupported-media-type', `The body is ${given}, not ${taken}.`);
  }
  return { type, chunks: bodyBytes(request, { limit, transfer }) };
}

/** Milliseconds for what is left of a body that nobody reads any more. */
const longestRest = 30_000;

/**
 * Lets the rest of a body that the handler left unread run off, or the answer could be lost behind it: a connection that
 * is closed with data unread is reset.
 */
export function discardRest(route: Route, request: ExchangeRequest): void {
  const readsBody = route.streamed !== undefined || route.body !== undefined;
  if (!readsBody || request.readableEnded) return;
  request.unpipe();
  request.on('error', () => undefined); // nobody is left to mind that the client hangs up
  const timer = setTimeout(() => request.destroy(), longestRest).unref();
  request.once('close', () => clearTimeout(timer));
  request.resume();
}

async function* noChunks(): AsyncGenerator<Buffer> {
  // Nothing to give.
}
