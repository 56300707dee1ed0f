import { ProblemError } from '@engawa/client';
import { authorizedFetch } from '../../api/client.ts';
import type { Reason } from './model.ts';

export interface PreviewedReading {
  device: string;
  /** ISO 8601. */
  time: string;
  fields: Record<string, string | number | boolean | null>;
}

/** The readings that a replay would store now: at most a thousand of them, and how many there are. */
interface WouldBeStored {
  readings: PreviewedReading[];
  stored: number;
}

/** What a dead letter would become if it were replayed now. It remains if any of its readings is refused. */
export type Preview =
  | ({ outcome: 'stored' } & WouldBeStored)
  | ({
      outcome: 'refused';
      /** The reason and the detail that the dead letter would have. */
      reason: Reason;
      detail: string;
      refusedCount: number;
    } & WouldBeStored);

/** Asks ingestion; nothing is written. @throws ProblemError, TypeError as of a request */
export async function previewLetter(id: string, signal: AbortSignal): Promise<Preview> {
  const path = `/api/ingestion/v1/deadLetters/${encodeURIComponent(id)}/preview`;
  const response = await authorizedFetch(path, { signal });
  const body = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new ProblemError(response.status, body);
  return body as unknown as Preview;
}
