import { alertRule } from '../rule.ts';
import { growth } from '../growth.ts';

const grown = (reason: string, minutes: number) =>
  growth({
    metric: 'engawa_query_rollups_not_stored_total',
    matchers: [`reason="${reason}"`],
    by: [],
    minutes,
  });

const summary = '{{ $labels.release }}: rollups of aggregates could not be stored';

export const rollupsNotStored = [
  alertRule({
    name: 'EngawaRollupsNotStored',
    expression: `${grown('too_large', 60)} > 0`,
    severity: 'warning',
    labels: { cause: 'too_large' },
    summary,
    description:
      '{{ $value | printf "%.0f" }} rollups of the last hour are larger than a transaction. Their readings are read for each request, and after their retention the aggregates are gone.',
    dashboard: 'engawa-overview',
  }),
  alertRule({
    name: 'EngawaRollupsNotStored',
    expression: `${grown('failed', 15)} > 0`,
    // A later request stores them.
    holdsFor: '30m',
    severity: 'warning',
    labels: { cause: 'failed' },
    summary,
    description:
      'The table has refused rollups for half an hour, {{ $value | printf "%.0f" }} in the last 15 minutes. Their readings are read for each request, and after their retention the aggregates are gone.',
    dashboard: 'engawa-overview',
  }),
];
