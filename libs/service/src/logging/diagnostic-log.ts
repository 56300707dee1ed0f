import { z } from 'zod';
import type { DiagLogger } from '@opentelemetry/api';
import type { Logger } from 'pino';

/** Interval after which a repeated warning is logged again. */
const repeatAfterMs = 300_000;
/** Maximum number of distinct warnings; all others share one line per `repeatAfterMs`. */
const maxWarnings = 32;

interface Warning {
  loggedAt: number;
  /** Suppressed repetitions since the last log line. */
  suppressed: number;
}

/**
 * Logs OpenTelemetry's own warnings, such as an unreachable collector or an invalid variable. A
 * failing collector causes one per export, so a repeated warning is logged once in five minutes,
 * with the number of suppressed ones.
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

/**
 * The key of a warning: texts that differ in numbers only, such as the number of dropped spans, are
 * the same warning.
 */
function keyOf(text: string): string {
  return text.replaceAll(/\d+/g, '#');
}

/** The SDK passes an error as JSON of all its properties, with the stack. */
function readable(message: string): string {
  try {
    return z.object({ message: z.string() }).parse(JSON.parse(message)).message;
  } catch {
    return message;
  }
}
