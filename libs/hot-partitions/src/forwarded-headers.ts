import { z } from 'zod';
import type { Logger } from 'pino';

/** The headers of a request that other processes answer as well. */
export const forwardedRequestHeaders = z.object({
  authorization: z.string().optional().describe('Forwarded to the other processes.'),
});

/** Request headers for peers: the token of the caller, and the request id, so that all processes log the same one. */
export function forwardedHeaders(
  log: Logger,
  authorization: string | undefined,
): Record<string, string> {
  const { requestId } = log.bindings();
  return {
    ...(typeof requestId === 'string' && { 'x-request-id': requestId }),
    ...(authorization !== undefined && { authorization }),
  };
}
