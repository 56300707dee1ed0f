import type { ExchangeResponse } from '../route/exchange.ts';

/** Dictionaries of structured fields (RFC 9651): `read=12.5, write=0` and `get-item=1, query=2, query-gsi1=1`. */
const unitsHeader = 'Engawa-Units';
const requestsHeader = 'Engawa-Requests';

/** Decimals of units: an eventually consistent read of a transaction in an index has the smallest, 0.5. */
const decimals = 3;

/**
 * Sets the headers with the capacity units that the request has consumed, and the requests to the table that it took.
 * Without them, the table has not reported all units.
 */
export function setUnits(response: ExchangeResponse): void {
  const { read, write, isComplete, requests } = response.locals.exchange.units;
  if (!isComplete) return;
  response.setHeader(unitsHeader, `read=${rounded(read)}, write=${rounded(write)}`);
  if (requests.size > 0) response.setHeader(requestsHeader, requestsText(requests));
}

/** Sorted. A key of a dictionary is in lower case. */
function requestsText(requests: ReadonlyMap<string, number>): string {
  const members = [...requests].map(([name, count]) => `${keyOf(name)}=${count}`);
  return members.sort().join(', ');
}

/** `Query gsi1` is `query-gsi1`, `BatchGetItem` is `batch-get-item`. */
function keyOf(name: string): string {
  return name
    .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
    .replaceAll(' ', '-')
    .toLowerCase();
}

function rounded(units: number): number {
  return Number(units.toFixed(decimals));
}
