import { Problem } from '@engawa/errors';
import { bodyBytes, unreadable } from './body-bytes.ts';
import type { ExchangeRequest } from '../route/exchange.ts';
import type { TransferLimits } from '../guards/watch-transfer.ts';
import type { BodyStream, StreamedBody } from '../route/body-stream.ts';
import type { Route } from '../route/route.ts';

/** Opens the body of a request as a stream. @throws Problem where its headers show that it cannot be accepted */
export function openStream(
  { types, maxBytes: limit }: StreamedBody,
  request: ExchangeRequest,
  transfer: TransferLimits,
): BodyStream {
  const type = request.is(Object.keys(types));
  // Some clients send `Content-Length: 0` without a body.
  const isEmpty = request.get('content-length') === '0';
  if (type === null || (type === false && isEmpty)) throw unreadable('is required');
  if (type === false) {
    const given = request.get('content-type') ?? 'none';
    const accepted = Object.keys(types).join(' or ');
    throw new Problem(
      'unsupported-media-type',
      `The media type of the body must be ${accepted}; the request has ${given}.`,
    );
  }
  return { type, chunks: bodyBytes(request, { maxBytes: limit, transfer }) };
}

/** Maximum duration of reading and discarding the rest of a body. */
const maxDiscardMs = 30_000;

/**
 * Discards the rest of a body that the handler did not read. Closing a connection with unread data
 * resets it, and the client could lose the response.
 */
export function discardRest(route: Route, request: ExchangeRequest): void {
  const readsBody = route.streamed !== undefined || route.body !== undefined;
  if (!readsBody || request.readableEnded) return;
  request.unpipe();
  request.on('error', () => undefined); // a disconnect of the client no longer matters
  const timer = setTimeout(() => request.destroy(), maxDiscardMs).unref();
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
