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
    perPod(
      'Memory',
      'Memory of each process. Good: a saw below the limit of the container. A line that only rises ends in a restart.',
      'bytes',
      series('process_resident_memory_bytes'),
    ),
    perPod(
      'Event loop lag',
      'How late the process is with what it has to do, 99 of 100 times. Good: below 50 ms. More: too much at once, or something that computes for long.',
      's',
      series('nodejs_eventloop_lag_p99_seconds'),
    ),
    perPod(
      'Garbage collection',
      'Share of its time that each process spends on collecting garbage. Good: a few per cent. More: it has too little memory for what it does.',
      'percentunit',
      `sum by (component, pod) (${rate('nodejs_gc_duration_seconds_sum')})`,
    ),
  ];
}

/** The index that catalog keeps in memory. */
export function search(): Panel[] {
  return [
    timeseries({
      title: 'Search is behind by',
      description:
        'For how long changes may not be in the index yet, of the replica that is best. Good: seconds. Minutes: it cannot read changes, see the failed looks beside this. Decades: no replica has an index.',
      unit: 's',
      queries: [{ expr: `min(${series('engawa_full_text_stale_seconds')})`, legend: 'behind by' }],
      width: 6,
    }),
    timeseries({
      title: 'Looks for changes',
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
      title: 'Entities in the index',
      description:
        'Entities in the index of each replica. 0 where another replica keeps it up. A fall is an index that is being made anew.',
      unit: 'short',
      queries: [{ expr: series('engawa_full_text_documents'), legend: '{{pod}}' }],
      width: 6,
    }),
    timeseries({
      title: 'Time to make the index',
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
