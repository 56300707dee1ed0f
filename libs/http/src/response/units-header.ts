import type { ExchangeResponse } from '../route/exchange.ts';

/** A dictionary of structured fields (RFC 9651), such as `read=12.5, write=0`. */
const header = 'Engawa-Units';

/** Decimals of units: an eventually consistent read of a transaction in an index has the smallest, 0.5. */
const decimals = 3;

/**
 * Sets the header with the capacity units that the request has consumed. Without it, the table has not reported them
 * all.
 */
export function setUnits(response: ExchangeResponse): void {
  const { read, write, isComplete } = response.locals.exchange.units;
  if (isComplete) response.setHeader(header, `read=${rounded(read)}, write=${rounded(write)}`);
}

function rounded(units: number): number {
  return Number(units.toFixed(decimals));
}
