/** The levels of pino that are shown without `--verbose`. */
const shown = new Set(['warn', 'error', 'fatal']);

/** A service's JSON log line as readable text; undefined if it is not shown. */
export function readableLogLine(
  service: string,
  line: string,
  verbose: boolean,
): string | undefined {
  const entry = parse(line);
  if (entry === undefined) return `${service}: ${line}`;
  if (!verbose && !shown.has(entry.level)) return undefined;
  return `${service}: ${entry.level === 'info' ? '' : `${entry.level}: `}${entry.msg}`;
}

function parse(line: string): { level: string; msg: string } | undefined {
  try {
    const { level, msg } = JSON.parse(line) as { level?: unknown; msg?: unknown };
    return typeof level === 'string' && typeof msg === 'string' ? { level, msg } : undefined;
  } catch {
    return undefined;
  }
}
