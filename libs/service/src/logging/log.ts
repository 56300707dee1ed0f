import { trace } from '@opentelemetry/api';
import { pino } from 'pino';
import type { Bindings, ChildLoggerOptions, DestinationStream, Logger } from 'pino';
import { redactFields } from './redact.ts';

export interface LogOptions {
  /** Name of the service, in the field `service` of each line. */
  name: string;
  level: string;
  /** Destination of log lines; by default standard output. */
  destination?: DestinationStream | undefined;
}

/**
 * Characters that JSON does not escape, but that terminals or line readers interpret: DEL and the
 * C1 controls, line and paragraph separators, and marks that change the direction of text (Unicode
 * TR 36, 3.1).
 */
const actedOn = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Creates a log of JSON lines with service, pid, ISO time, and the ids of the active span. */
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
      // `redactFields` converts errors to plain fields before pino serializes them.
      serializers: { err: (error: unknown) => error },
      mixin: activeSpan,
      hooks: { streamWrite: (line) => line.replaceAll(actedOn, escaped) },
    },
    // Written synchronously, so that the last line before an exit is not lost.
    destination ?? pino.destination({ dest: process.stdout.fd, sync: true }),
  );
  return redactChildren(log);
}

interface Parent {
  child(bindings: Bindings, options?: ChildLoggerOptions): Logger;
}

/** Redacts the fields of child loggers as well, for which pino has no formatter. Children inherit the change. */
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
