import { exceptionAnswer } from './rules/exceptions.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DynamoDbResponse } from './rules/exceptions.ts';

/** Milliseconds that a signature's time may differ from the server's (IAM, "Troubleshoot AWS API requests"). */
const toleranceMs = 5 * 60_000;

/**
 * Responds as a server with a shifted clock: with its own Date, by which SDKs correct their clock,
 * and with a rejection of signatures from another time.
 */
export function refuseOldSignature(
  request: IncomingMessage,
  response: ServerResponse,
  skewSeconds: number,
): DynamoDbResponse | undefined {
  const serverTime = Date.now() + skewSeconds * 1000;
  response.sendDate = false;
  response.setHeader('date', new Date(serverTime).toUTCString());
  const signedAt = parseSigningTime(String(request.headers['x-amz-date']));
  if (Math.abs(signedAt - serverTime) <= toleranceMs) return undefined;
  const now = new Date(serverTime).toISOString();
  return exceptionAnswer('InvalidSignatureException', `Signature expired: it is now ${now}`);
}

/** `20261121T083000Z`. */
function parseSigningTime(text: string): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
