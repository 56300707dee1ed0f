import { unaccountedMessages } from '../recording/ingestion.ts';
import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

export const conservationBroken = alertRule({
  name: 'EngawaConservationBroken',
  expression: `${series(unaccountedMessages)} != 0`,
  // The value is exact at each scrape; two minutes tolerate a scrape that Prometheus has stored only in part.
  holdsFor: '2m',
  severity: 'critical',
  summary: '{{ $labels.release }}: messages of {{ $labels.pod }} are unaccounted for',
  description:
    '{{ $value }} received messages are neither in flight nor completed (a negative number: completed twice). This is a defect of Engawa, and messages may be lost.',
  dashboard: 'engawa-ingestion',
});
