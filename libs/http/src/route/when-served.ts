import type { ExchangeResponse } from './exchange.ts';

/**
 * Calls back once: when the response has ended, or when it becomes an event stream. Such a stream is open for hours and
 * mostly idle, so it is no request in progress.
 */
export function whenServed(response: ExchangeResponse, callback: () => void): void {
  const { served, signal } = response.locals.exchange;
  // The client may have disconnected while its token was checked.
  if (signal.aborted) callback();
  else served.push(callback);
}
