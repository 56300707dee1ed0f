import { api } from '../../../api/client.ts';
import type { CompactHistory } from './compact-history.ts';
import type { HistoryRequests } from './history-requests.ts';
import type { Resolution } from '../heat-grid.ts';
import type { MergedReport, ServiceName } from './merge-reports.ts';

export interface Unavailable {
  service: ServiceName;
  error: unknown;
}

export interface Answers<Answer> {
  answers: Map<ServiceName, Answer>;
  unavailable: Unavailable[];
}

interface HistoryQuestion {
  resolution: Resolution;
  /** Milliseconds since the epoch; without it all columns. */
  fromMs?: number;
}

/** Asks services for the history of all their peers. */
export function fetchHistories(
  asked: readonly ServiceName[],
  { resolution, fromMs }: HistoryQuestion,
  { requests, signal }: { requests: HistoryRequests; signal: AbortSignal },
): Promise<Answers<CompactHistory>> {
  const query = new URLSearchParams({ resolution });
  if (fromMs !== undefined) query.set('from', new Date(fromMs).toISOString());
  return fetchAll(asked, (service) =>
    requests.get(`/api/${service}/v1/hot-partitions/history/merged?${query}`, signal),
  );
}

/** As many as a report has. */
const maxPartitions = 100;

/** Asks services for the hot partitions of all their peers, with advice. */
export function fetchReports(
  asked: readonly ServiceName[],
  signal: AbortSignal,
): Promise<Answers<MergedReport>> {
  return fetchAll(asked, async (service) => {
    const { body } = await api[service].getMergedHotPartitions(
      { limit: maxPartitions },
      { signal },
    );
    return body;
  });
}

async function fetchAll<Answer>(
  asked: readonly ServiceName[],
  fetchOne: (service: ServiceName) => Promise<Answer>,
): Promise<Answers<Answer>> {
  const answers = new Map<ServiceName, Answer>();
  const unavailable: Unavailable[] = [];
  await Promise.all(
    asked.map(async (service) => {
      try {
        answers.set(service, await fetchOne(service));
      } catch (error) {
        unavailable.push({ service, error });
      }
    }),
  );
  return { answers, unavailable };
}
