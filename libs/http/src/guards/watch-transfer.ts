import type { ExchangeHandler } from '../route/exchange.ts';

/** How slowly a client may send a body, or take an answer. */
export interface TransferLimits {
  minBytesPerSecond: number;
  /** Milliseconds that a client may keep us waiting beyond what the rate allows. */
  graceMs: number;
}

export interface Transfer {
  /** Whether the other side is what everything waits for. */
  isWaiting: () => boolean;
  /** Bytes that have been moved so far. */
  bytes: () => number;
  onTooSlow: () => void;
}

const maxIntervalMs = 1000;
/** Looks within the grace: a client is given up no later than an eighth of it after it is over. */
const looksPerGrace = 8;

/**
 * Looks now and then at what moves. Each byte is worth its time at the minimum rate, waiting costs its time, and what is
 * earned is kept up to the grace: a client that was fast for an hour cannot be slow for the next.
 * @returns ends the watch
 */
export function watchTransfer(
  { minBytesPerSecond, graceMs }: TransferLimits,
  { isWaiting, bytes, onTooSlow }: Transfer,
): () => void {
  const intervalMs = Math.min(maxIntervalMs, graceMs / looksPerGrace);
  let leftMs = graceMs;
  let lookedAt = performance.now();
  let seen = bytes();
  const timer = setInterval(() => {
    const [now, moved] = [performance.now(), bytes()];
    // A process that was itself busy does not hold that against the client.
    const waitedMs = isWaiting() ? Math.min(now - lookedAt, 2 * intervalMs) : 0;
    const earnedMs = ((moved - seen) * 1000) / minBytesPerSecond;
    leftMs = Math.min(graceMs, leftMs + earnedMs - waitedMs);
    [lookedAt, seen] = [now, moved];
    if (leftMs >= 0) return;
    clearInterval(timer);
    onTooSlow();
  }, intervalMs).unref();
  return () => clearInterval(timer);
}

/** Ends answers that clients take too slowly: each has one of the requests that may be in flight. */
export function watchReader(limits: TransferLimits): ExchangeHandler {
  return ({ socket }, response, next) => {
    const stop = watchTransfer(limits, {
      // Of pipelined requests, only the first has the socket.
      isWaiting: () => response.socket !== null && response.writableLength > 0,
      bytes: () => socket.bytesWritten - socket.writableLength,
      onTooSlow: () => {
        response.locals.exchange.log.debug('response aborted: the client reads too slowly');
        response.destroy();
      },
    });
    response.once('close', stop);
    next();
  };
}
