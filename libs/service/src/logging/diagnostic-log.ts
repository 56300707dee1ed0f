import { z } from 'zod';
import type { DiagLogger } from '@opentelemetry/api';
import type { Logger } from 'pino';

/** Milliseconds until a warning that repeats an earlier one is logged again. */
const repeatAfterMs = 300_000;
/** Different warnings that are told apart; all others share one line per `repeatAfterMs`. */
const maxWarnings = 32;

interface Warning {
  loggedAt: number;
  /** Not logged since then. */
  suppressed: number;
}

/**
 * OpenTelemetry's own warnings: an unreachable collector, a variable misspelt. A collector that fails does so at every export, so a
 * warning that repeats is logged once in five minutes, with the number of those that were left out.
 * @param now monotonic milliseconds
 */
export function diagnosticLog(log: Logger, now = () => performance.now()): DiagLogger {
  const warnings = new Map<string, Warning>();
  const warn = (message: string, ...details: unknown[]) => {
    const text = readable(message);
    const own = keyOf(text);
    const key = warnings.has(own) || warnings.size < maxWarnings ? own : '';
    const known = warnings.get(key);
    if (known !== undefined && now() - known.loggedAt < repeatAfterMs) {
      known.suppressed += 1;
      return;
    }
    const { suppressed = 0 } = known ?? {};
    warnings.set(key, { loggedAt: now(), suppressed: 0 });
    const fields = {
      ...(details.length > 0 && { details }),
      ...(suppressed > 0 && { suppressed }),
    };
    log.warn(fields, `tracing: ${text}`);
  };
  const debug = (message: string) => log.debug(`tracing: ${message}`);
  return { error: warn, warn, info: debug, debug, verbose: debug };
}

/** The same for texts that differ in numbers only, such as how many spans were dropped. */
function keyOf(text: string): string {
  return text.replaceAll(/\d+/g, '#');
}

/** The SDK hands an error over as the JSON text of all its properties, stack included. */
function readable(message: string): string {
  try {
    return z.object({ message: z.string() }).parse(JSON.parse(message)).message;
  } catch {
    return message;
  }
}
