import { Problem } from '@engawa/errors';
import { bodyBytes, unreadable } from './body-bytes.ts';
import type { ExchangeRequest } from '../route/exchange.ts';
import type { TransferLimits } from '../guards/watch-transfer.ts';
import type { BodyStream, StreamedBody } from '../route/body-stream.ts';
import type { Route } from '../route/route.ts';

/** @throws Problem where it is clear from the headers that the body will not be taken */
export function openStream(
  { types, maxBytes: limit }: StreamedBody,
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
  return { type, chunks: bodyBytes(request, { maxBytes: limit, transfer }) };
}

/** Milliseconds for what is left of a body that nobody reads any more. */
const maxDiscardMs = 30_000;

/**
 * Lets the rest of a body that the handler left unread run off, or the answer could be lost behind it: a connection that
 * is closed with data unread is reset.
 */
export function discardRest(route: Route, request: ExchangeRequest): void {
  const readsBody = route.streamed !== undefined || route.body !== undefined;
  if (!readsBody || request.readableEnded) return;
  request.unpipe();
  request.on('error', () => undefined); // nobody is left to mind that the client hangs up
  const timer = setTimeout(() => request.destroy(), maxDiscardMs).unref();
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
