import type { Span } from '@opentelemetry/api';
import type { Parcel } from './parcel.ts';

/** Adds an event to a trace span. The request or message of parked readings has ended by then. */
export function addSpanEvent(span: Span | undefined, step: 'decoded' | 'packed' | 'stored'): void {
  if (span?.isRecording() === true) span.addEvent(step);
}

/** Adds an event to the trace span of each parcel. */
export function addSpanEvents(parcels: readonly Parcel[], step: 'packed' | 'stored'): void {
  for (const { traceSpan } of parcels) addSpanEvent(traceSpan, step);
}
