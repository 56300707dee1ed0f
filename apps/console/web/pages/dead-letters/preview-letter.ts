import { ProblemError } from '@engawa/client';
import { authorizedFetch } from '../../api/client.ts';
import type { Reason } from './model.ts';

export interface PreviewedReading {
  device: string;
  /** ISO 8601. */
  time: string;
  fields: Record<string, string | number | boolean | null>;
}

/** What a dead letter would become if it were replayed now. */
export type Preview =
  | { outcome: 'stored'; readings: PreviewedReading[] }
  | { outcome: 'refused'; reason: Reason; detail: string };

/** Asks ingestion; nothing is written. @throws ProblemError, TypeError as of a request */
export async function previewLetter(id: string, signal: AbortSignal): Promise<Preview> {
  const path = `/api/ingestion/v1/deadLetters/${encodeURIComponent(id)}/preview`;
  const response = await authorizedFetch(path, { signal });
  const body = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new ProblemError(response.status, body);
  return body as unknown as Preview;
}
