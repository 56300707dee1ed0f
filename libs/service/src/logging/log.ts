import { trace } from '@opentelemetry/api';
import { pino } from 'pino';
import type { Bindings, ChildLoggerOptions, DestinationStream, Logger } from 'pino';
import { redactFields } from './redact.ts';

export interface LogOptions {
  /** The name of the service, the `service` of each line. */
  name: string;
  level: string;
  /** Where the lines go; standard output where it is not given. */
  destination?: DestinationStream | undefined;
}

/**
 * What JSON leaves as it is and terminals or line readers act on: DEL and the C1 controls, the line
 * and paragraph separators, and the marks that turn the direction of text (Unicode TR 36, 3.1).
 */
const actedOn = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A log of JSON lines: service, pid, ISO time, and the ids of the active span where there is one. */
export function createLog({ name, level, destination }: LogOptions): Logger {
  const log = pino(
    {
      level,
      base: { service: name, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: redactFields,
      },
      // `redactFields` has turned errors into plain fields before pino looks for them.
      serializers: { err: (error: unknown) => error },
      mixin: activeSpan,
      hooks: { streamWrite: (line) => line.replaceAll(actedOn, escaped) },
    },
    // Written at once, not in the background: the last line before an exit is the one that matters.
    destination ?? pino.destination({ dest: process.stdout.fd, sync: true }),
  );
  return redactChildren(log);
}

interface Parent {
  child(bindings: Bindings, options?: ChildLoggerOptions): Logger;
}

/** pino has no formatter that sees the fields of child loggers too. Children inherit the change. */
function redactChildren(log: Logger): Logger {
  const original = Object.getPrototypeOf(log) as Parent;
  const redacting: Parent = {
    child(bindings, options) {
      return original.child.call(this, redactFields(bindings), options);
    },
  };
  return Object.assign(log, redacting);
}

function activeSpan(): object {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
