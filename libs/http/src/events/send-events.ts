import { Problem } from '@engawa/errors';
import { EventStream } from './event-stream.ts';
import type { Exchange, ExchangeRequest, ExchangeResponse } from '../route/exchange.ts';

/** Writes events to a stream, from now until the stream ends. */
export type SendEvents = (stream: EventStream) => void;

export const eventStreamType = 'text/event-stream';

/** Responds with Server-Sent Events (WHATWG HTML, 9.2), which end with the token, the service, or the client. */
export function sendEvents(
  send: SendEvents,
  request: ExchangeRequest,
  response: ExchangeResponse,
): void {
  const { exchange } = response.locals;
  // Not with `set`, which adds a charset: the encoding is always UTF-8.
  response.status(200).setHeader('Content-Type', eventStreamType);
  // nginx would otherwise collect events before it sends them.
  response.setHeader('X-Accel-Buffering', 'no');
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  // Before the first event, so that the client knows that it is connected.
  response.flushHeaders();
  exchange.beginStream();
  send(new EventStream(response, expiryOf(exchange)));
}

function expiryOf({ caller }: Exchange): number | undefined {
  return caller instanceof Problem ? undefined : caller?.expiresAt;
}
