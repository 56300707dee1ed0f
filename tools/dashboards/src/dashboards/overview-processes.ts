import { timeseries } from '../panels.ts';
import { rate, rateBy, series } from '../series.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

/** Use of CPU and memory. */
export function processes(): Panel[] {
  const perPod = (title: string, description: string, unit: string, expr: string) =>
    timeseries({
      title,
      description,
      unit,
      queries: [{ expr, legend: '{{pod}}' }],
      width: 6,
    });
  return [
    perPod(
      'CPU',
      'CPU cores that each process uses. Node.js runs JavaScript on one core: near 1 the process is saturated, and more replicas help.',
      'short',
      `sum by (component, pod) (${rate('process_cpu_seconds_total')})`,
    ),
    timeseries({
      title: 'Memory',
      description:
        'Resident memory of each process, and the limit at which its container is killed (drawn once a process uses a tenth of it). Good: a sawtooth below the limit. A line that only rises ends with an OOM kill.',
      unit: 'bytes',
      queries: [
        { expr: series('process_resident_memory_bytes'), legend: '{{pod}}' },
        { expr: memoryLimit(), legend: '{{component}} limit' },
      ],
      width: 6,
    }),
    perPod(
      'Event loop lag (p99)',
      '99th percentile of the event loop delay. Good: below 50 ms. Higher: too much load, or a long synchronous computation.',
      's',
      series('nodejs_eventloop_lag_p99_seconds'),
    ),
    perPod(
      'Garbage collection',
      'Share of time that each process spends in garbage collection. Good: a few per cent. Higher: the process has too little memory for its load.',
      'percentunit',
      `sum by (component, pod) (${rate('nodejs_gc_duration_seconds_sum')})`,
    ),
    ...lifecycles(),
  ];
}

/**
 * A process without a container has the memory of its machine as its limit: drawn, it would flatten
 * all other lines.
 */
function memoryLimit(): string {
  const limit = `min by (component) (${series('engawa_memory_limit_bytes')})`;
  const used = series('process_resident_memory_bytes');
  return `${limit}
and on (component) (
  max by (component) (max_over_time(${used}[$__range] @ end())) * 10 > ${limit}
)`;
}

/** Restarts, requirements that are not met, rejected tokens, and defects. */
function lifecycles(): Panel[] {
  return [
    timeseries({
      title: 'Restarts',
      description:
        'Restarts of each container within 30 minutes, in the same pod; a replaced pod counts from 0. Good: 0. Three or more: a crash loop; kubectl logs --previous shows the last lines.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (component, pod) (changes(${series('process_start_time_seconds')}[30m]))`,
          legend: '{{pod}}',
        },
      ],
      width: 6,
    }),
    timeseries({
      title: 'Unmet requirements',
      description:
        'Replicas with an unmet requirement: table, timeToLive (expired readings stay in the table), mqtt (the broker), brokerLimits (a limit of the broker), clientId (another client with the same identifier), fullText (the index), issuerKeys and issuer (the token issuer), progress (the oldest message), process (starting or closing). Good: 0. /readyz of a pod says why.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (component, requirement) (1 - ${series('engawa_requirement_met')})`,
          legend: '{{component}} {{requirement}}',
        },
      ],
      width: 6,
    }),
    timeseries({
      title: 'Rejected tokens',
      description:
        'Rejected tokens a second, by reason. Expired tokens are normal. Audience: AUTH_AUDIENCE or a client is configured wrongly. Issuer, type, algorithm: the same for their settings.',
      unit: 'ops',
      queries: [
        {
          expr: rateBy('component, reason', 'engawa_http_rejected_tokens_total'),
          legend: '{{component}} {{reason}}',
        },
      ],
      width: 6,
    }),
    brokenInvariants(),
  ];
}

function brokenInvariants(): Panel {
  return timeseries({
    title: 'Broken invariants',
    description:
      'Errors that the code rules out, within 30 minutes. Good: 0. Each one is a defect of Engawa: please report the sentence in the log, or in the dead letter of the message.',
    unit: 'short',
    queries: [
      {
        expr: `sum by (component) (increase(${series('engawa_invariants_broken_total')}[30m]))`,
        legend: '{{component}}',
      },
    ],
    width: 6,
  });
}

/** The full-text index of the catalog. */
export function search(): Panel[] {
  return [
    timeseries({
      title: 'Search index lag',
      description:
        'Staleness of the freshest full-text index. Good: seconds. Minutes: catalog cannot read changes; see the failed refreshes in the next panel. Decades: no replica has an index.',
      unit: 's',
      queries: [{ expr: `min(${series('engawa_full_text_stale_seconds')})`, legend: 'staleness' }],
      width: 6,
    }),
    timeseries({
      title: 'Search index refreshes',
      description:
        'Refreshes of the full-text index a second by outcome, and changed entities a second that they found. Failed refreshes are retried; while they fail, searches miss changes.',
      unit: 'ops',
      queries: [
        {
          expr: `sum by (outcome) (${rate('engawa_full_text_polls_total')})`,
          legend: '{{outcome}}',
        },
        { expr: `sum(${rate('engawa_full_text_changes_total')})`, legend: 'changes' },
      ],
      width: 6,
    }),
    timeseries({
      title: 'Search index size',
      description:
        'Entities in the full-text index of each replica; 0 if another replica maintains a shared index. A drop: the index is being rebuilt.',
      unit: 'short',
      queries: [{ expr: series('engawa_full_text_documents'), legend: '{{pod}}' }],
      width: 6,
    }),
    timeseries({
      title: 'Search index build time',
      description:
        'Average time in which each replica has built the index from the table. A replica answers searches with 503 until its first build is complete.',
      unit: 's',
      queries: [
        {
          expr: `${series('engawa_full_text_rebuild_seconds_sum')} / ${series('engawa_full_text_rebuild_seconds_count')}`,
          legend: '{{pod}}',
        },
      ],
      width: 6,
    }),
  ];
}
