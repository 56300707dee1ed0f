import { throttledLettersEnded, throttledLettersKept } from '../recording/ingestion.ts';
import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';
import { growth } from '../growth.ts';

const kept = series(throttledLettersKept);
const ended = series(throttledLettersEnded);
const newLetters = growth({
  metric: 'engawa_ingest_dead_letters_total',
  matchers: ['reason!="throttled"'],
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
      '{{ $value | printf "%.0f" }} dead letters with the reason {{ $labels.reason }} were kept in the last 15 minutes. They are whole, and stay for 14 days.',
    dashboard: 'engawa-ingestion',
  }),
  alertRule({
    name: 'EngawaThrottledLetters',
    // They end by themselves, usually within seconds; of an hour's a tenth may still be on its way.
    expression: `${kept} - (${ended} or 0 * ${kept}) > 0.1 * ${kept}`,
    holdsFor: '15m',
    severity: 'warning',
    summary: '{{ $labels.release }}: messages of throttled devices are not stored in the end',
    description:
      'Of those that were kept in the last hour because their device is throttled, some {{ $value | printf "%.0f" }} are still dead letters. They stay for 14 days.',
    dashboard: 'engawa-ingestion',
  }),
];
