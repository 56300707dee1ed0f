import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Alert, AlertsStatus } from './status-report.ts';

/** More are not shown. */
const maxAlerts = 200;

/** `GET /api/v1/alerts` (https://prometheus.io/docs/prometheus/latest/querying/api/#alerts). */
const response = z.object({
  data: z.object({
    alerts: z.array(
      z.object({
        labels: z.record(z.string(), z.string()),
        annotations: z.record(z.string(), z.string()),
        state: z.enum(['firing', 'pending', 'inactive']),
        activeAt: z.iso.datetime({ offset: true }).optional(),
      }),
    ),
  }),
});

/** All rules of the chart have this prefix; a Prometheus has alerts of other programs, too. */
const prefix = 'Engawa';

export type PrometheusConfig = Pick<
  Config,
  'PROMETHEUS_URL' | 'PROMETHEUS_TOKEN' | 'PROMETHEUS_USERNAME' | 'PROMETHEUS_PASSWORD'
>;

/** The active alerts of Engawa, critical ones first. It does not throw. */
export async function fetchAlerts(
  config: PrometheusConfig,
  signal: AbortSignal,
): Promise<AlertsStatus> {
  const { PROMETHEUS_URL } = config;
  if (PROMETHEUS_URL === undefined) return { kind: 'not-configured' };
  try {
    const url = `${PROMETHEUS_URL.replace(/\/+$/, '')}/api/v1/alerts`;
    // A redirect could lead to another host, which must not get the credentials.
    const answer = await fetch(url, { signal, redirect: 'error', headers: credentials(config) });
    if (!answer.ok) return { kind: 'failed', failure: `its status is ${answer.status}` };
    const { data } = response.parse(await answer.json());
    return {
      kind: 'known',
      alerts: data.alerts.flatMap(showAlert).sort(byUrgency).slice(0, maxAlerts),
    };
  } catch (error) {
    const failure = signal.aborted
      ? 'it did not respond in time'
      : error instanceof z.ZodError
        ? 'its response is not that of Prometheus'
        : causeOf(error);
    return { kind: 'failed', failure };
  }
}

/** RFC 6750, section 2.1; RFC 7617, with UTF-8 as Prometheus reads it. */
function credentials(config: PrometheusConfig): Record<string, string> {
  const {
    PROMETHEUS_TOKEN: token,
    PROMETHEUS_USERNAME: user,
    PROMETHEUS_PASSWORD: password,
  } = config;
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (user === undefined || password === undefined) return {};
  const pair = Buffer.from(`${user}:${password}`).toString('base64');
  return { authorization: `Basic ${pair}` };
}

/** `fetch` names the cause of a failed connection in a nested error. */
function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return code ?? message;
}

type FoundAlert = z.output<typeof response>['data']['alerts'][number];

function showAlert({ labels, annotations, state, activeAt }: FoundAlert): Alert[] {
  const name = labels['alertname'] ?? '';
  if (state === 'inactive' || !name.startsWith(prefix)) return [];
  const { summary, description, runbook_url: runbookUrl } = annotations;
  const { severity } = labels;
  return [
    {
      ...{ name, state },
      ...(severity !== undefined && { severity }),
      ...(summary !== undefined && { summary }),
      ...(description !== undefined && { description }),
      labels: namedLabels(labels),
      // Shown as a link.
      ...(runbookUrl !== undefined && /^https?:/.test(runbookUrl) && { runbookUrl }),
      ...(activeAt !== undefined && { since: activeAt }),
    },
  ];
}

const labelNames = ['component', 'pod', 'cause', 'reason'];

/** For a translated summary. */
function namedLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => labelNames.includes(name)));
}

function byUrgency(one: Alert, other: Alert): number {
  const rank = ({ state, severity }: Alert): number =>
    (state === 'firing' ? 0 : 2) + (severity === 'critical' ? 0 : 1);
  return rank(one) - rank(other) || one.name.localeCompare(other.name);
}
