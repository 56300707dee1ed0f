import type { Span } from '@opentelemetry/api';

/** Adds an event to a trace span. The request or message of parked readings has ended by then. */
export function addSpanEvent(span: Span | undefined, step: 'decoded' | 'packed' | 'stored'): void {
  if (span?.isRecording() === true) span.addEvent(step);
}
