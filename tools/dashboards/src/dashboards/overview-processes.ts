import { timeseries } from '../panels.ts';
import { rate, series } from '../series.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

/** What the processes use of the machine. */
export function processes(): Panel[] {
  const perPod = (title: string, description: string, unit: string, expr: string) =>
    timeseries({
      title,
      description,
      unit,
      queries: [{ expr, legend: '{{component}} {{pod}}' }],
      width: 6,
    });
  return [
    perPod(
      'CPU',
      'Cores that each process uses. Near 1 it can do no more: Node runs on one core. Then more replicas help.',
      'short',
      `sum by (component, pod) (${rate('process_cpu_seconds_total')})`,
    ),
    timeseries({
      title: 'Memory',
      description:
        'Resident memory of each process, and the limit at which its container is killed. Good: a saw below the limit. A line that only rises ends in a restart.',
      unit: 'bytes',
      queries: [
        { expr: series('process_resident_memory_bytes'), legend: '{{component}} {{pod}}' },
        {
          expr: `min by (component) (${series('engawa_memory_limit_bytes')})`,
          legend: '{{component}} limit',
        },
      ],
      width: 6,
    }),
    perPod(
      'Event loop lag (p99)',
      '99th percentile of the delay of the event loop. Good: below 50 ms. More: too much load, or a long computation.',
      's',
      series('nodejs_eventloop_lag_p99_seconds'),
    ),
    perPod(
      'Garbage collection',
      'Share of its time that each process spends on collecting garbage. Good: a few per cent. More: it has too little memory for what it does.',
      'percentunit',
      `sum by (component, pod) (${rate('nodejs_gc_duration_seconds_sum')})`,
    ),
    ...lifecycles(),
  ];
}

/** Whether processes start, stay, and get what they depend on. */
function lifecycles(): Panel[] {
  return [
    timeseries({
      title: 'Restarts',
      description:
        'Restarts of each container within 30 minutes, in the same pod; a replaced pod counts from 0. Good: 0. Three or more: a crash loop; kubectl logs --previous has the last words.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (component, pod) (changes(${series('process_start_time_seconds')}[30m]))`,
          legend: '{{component}} {{pod}}',
        },
      ],
      width: 12,
    }),
    timeseries({
      title: 'Unmet requirements',
      description:
        'Replicas by requirement that is not met: table, mqtt (the broker), fullText (the index), progress (the oldest message), process (starting or closing). Good: 0. /readyz of a pod says why.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (component, requirement) (1 - ${series('engawa_requirement_met')})`,
          legend: '{{component}} {{requirement}}',
        },
      ],
      width: 12,
    }),
  ];
}

/** The index that catalog keeps in memory. */
export function search(): Panel[] {
  return [
    timeseries({
      title: 'Search index lag',
      description:
        'For how long changes may not be in the index yet, of the replica that is best. Good: seconds. Minutes: it cannot read changes, see the failed looks beside this. Decades: no replica has an index.',
      unit: 's',
      queries: [{ expr: `min(${series('engawa_full_text_stale_seconds')})`, legend: 'behind by' }],
      width: 6,
    }),
    timeseries({
      title: 'Search index refreshes',
      description:
        'How often catalog looks for texts that have changed, and how often it fails. Failed ones are tried again; many of them make the search old.',
      unit: 'ops',
      queries: [
        {
          expr: `sum by (outcome) (${rate('engawa_full_text_looks_total')})`,
          legend: '{{outcome}}',
        },
        { expr: `sum(${rate('engawa_full_text_changes_total')})`, legend: 'changes' },
      ],
      width: 6,
    }),
    timeseries({
      title: 'Search index size',
      description:
        'Entities in the index of each replica. 0 where another replica keeps it up. A fall is an index that is being made anew.',
      unit: 'short',
      queries: [{ expr: series('engawa_full_text_documents'), legend: '{{pod}}' }],
      width: 6,
    }),
    timeseries({
      title: 'Search index build time',
      description:
        'How long it took each replica to make the index from the table: at its start, and on average if it had to be made again. Until the first is made its replica cannot search.',
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
