import type { Span } from '@opentelemetry/api';

/** Marks a step of what the readings of a span go through. A request or message may be over by then: parked readings are. */
export function markSpan(span: Span | undefined, step: 'decoded' | 'packed' | 'stored'): void {
  if (span?.isRecording() === true) span.addEvent(step);
}
