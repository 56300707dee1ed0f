import { alertRule } from '../rule.ts';
import { growth } from '../growth.ts';

const newLetters = growth({
  metric: 'engawa_ingest_dead_letters_total',
  by: ['reason'],
  minutes: 15,
});

export const deadLetters = [
  alertRule({
    name: 'EngawaDeadLetters',
    expression: `${newLetters} > 0`,
    severity: 'warning',
    summary: '{{ $labels.release }}: messages could not be stored ({{ $labels.reason }})',
    description:
      '{{ $value | printf "%.0f" }} dead letters with the reason {{ $labels.reason }} were stored in the last 15 minutes. They keep the whole message for 14 days.',
    dashboard: 'engawa-ingestion',
  }),
];
