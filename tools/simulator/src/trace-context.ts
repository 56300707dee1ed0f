import { randomBytes } from 'node:crypto';

/**
 * The user properties of a message that begins a trace, as a device sends it that keeps no trace of
 * its own: W3C Trace Context, level 1 ("Trace Context: MQTT protocol" has the same names). The
 * trace is to be recorded.
 */
export function traceContext(): { traceparent: string } {
  const [trace, span] = [randomBytes(16), randomBytes(8)];
  return { traceparent: `00-${trace.toString('hex')}-${span.toString('hex')}-01` };
}
