import { whenServed } from '../route/when-served.ts';
import type { ExchangeHandler } from '../route/exchange.ts';

/** How slowly a client may send a body, or read a response. */
export interface TransferLimits {
  minBytesPerSecond: number;
  /** How long a client may keep the service waiting in excess of the minimum rate. */
  graceMs: number;
}

export interface Transfer {
  /** Whether the transfer waits for the client. */
  isWaiting: () => boolean;
  /** Bytes transferred so far. */
  bytes: () => number;
  onTooSlow: () => void;
}

const maxIntervalMs = 1000;
/** Checks within the grace period: a slow client is detected at most an eighth of it late. */
const checksPerGrace = 8;

/**
 * Checks a transfer at intervals, as a token bucket of time: each byte adds its time at the minimum
 * rate, waiting for the client subtracts its time, and the bucket holds at most the grace period.
 * So a client that was fast for an hour cannot be slow for the next one.
 * @returns a function that ends the checks
 */
export function watchTransfer(
  { minBytesPerSecond, graceMs }: TransferLimits,
  { isWaiting, bytes, onTooSlow }: Transfer,
): () => void {
  const intervalMs = Math.min(maxIntervalMs, graceMs / checksPerGrace);
  let leftMs = graceMs;
  let lookedAt = performance.now();
  let seen = bytes();
  const timer = setInterval(() => {
    const [now, moved] = [performance.now(), bytes()];
    // While the process itself was too busy to check, the client is not blamed.
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

/**
 * Aborts responses that clients read too slowly: each occupies a slot of MAX_REQUESTS_IN_FLIGHT. Event streams occupy
 * none; they end with the idle timeout when the client reads nothing for that time.
 */
export function watchReader(limits: TransferLimits): ExchangeHandler {
  return ({ socket }, response, next) => {
    const stop = watchTransfer(limits, {
      // Of pipelined requests, only the first one has the socket.
      isWaiting: () => response.socket !== null && response.writableLength > 0,
      bytes: () => socket.bytesWritten - socket.writableLength,
      onTooSlow: () => {
        response.locals.exchange.log.debug('response aborted: the client reads too slowly');
        response.destroy();
      },
    });
    whenServed(response, stop);
    next();
  };
}
