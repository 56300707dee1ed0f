import { unaccountedMessages } from '../recording/ingestion.ts';
import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

export const conservationBroken = alertRule({
  name: 'EngawaConservationBroken',
  expression: `${series(unaccountedMessages)} != 0`,
  // It is exact at each scrape; two minutes are for a Prometheus that has only a part of one.
  holdsFor: '2m',
  severity: 'critical',
  summary: '{{ $labels.release }}: {{ $labels.pod }} has lost count of messages',
  description:
    'Of the messages that it received, {{ $value }} are neither in flight nor done with (below 0: done with twice). This is an error in Engawa, and may mean that messages are lost.',
  dashboard: 'engawa-ingestion',
});
