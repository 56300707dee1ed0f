import { allowedErrors, errorRatio, failed, requestGrowth } from '../recording/http.ts';
import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

/** Fewer failed requests than this are an incident of one client, whatever share of little traffic they are. */
const leastFailures = 10;

interface Burn {
  /** How many times faster than the budget lasts for. */
  factor: number;
  long: string;
  /** Over which it has to burn as well, so that the alert ends when the burning does. */
  short: string;
  /** Over how many minutes failures are counted. */
  counted: number;
}

/** Several windows, several rates: Google's SRE workbook, chapter 5, "Alerting on SLOs". */
function burning({ factor, long, short, counted }: Burn): string {
  const limit = `${factor} * ${allowedErrors}`;
  return `${series(errorRatio(long))} > ${limit}
and ${series(errorRatio(short))} > ${limit}
and ${requestGrowth(counted, ...failed)} >= ${leastFailures}`;
}

const share = (window: string) =>
  `{{ $value | humanizePercentage }} of the requests to {{ $labels.component }} were answered with 5xx in the last ${window}`;

export const errorBudget = [
  alertRule({
    name: 'EngawaErrorBudgetFastBurn',
    expression: burning({ factor: 14.4, long: '1h', short: '5m', counted: 60 }),
    severity: 'critical',
    summary: '{{ $labels.release }}: requests to {{ $labels.component }} fail',
    description: `${share('hour')}, and still are. At this rate the error budget of 30 days lasts for two.`,
    dashboard: 'engawa-overview',
  }),
  alertRule({
    name: 'EngawaErrorBudgetSlowBurn',
    expression: burning({ factor: 6, long: '6h', short: '30m', counted: 360 }),
    severity: 'warning',
    labels: { window: '6h' },
    summary: '{{ $labels.release }}: some requests to {{ $labels.component }} fail',
    description: `${share('six hours')}, and still are. At this rate the error budget of 30 days lasts for five.`,
    dashboard: 'engawa-overview',
  }),
  alertRule({
    name: 'EngawaErrorBudgetSlowBurn',
    expression: burning({ factor: 1, long: '3d', short: '6h', counted: 360 }),
    severity: 'warning',
    labels: { window: '3d' },
    summary: '{{ $labels.release }}: a few requests to {{ $labels.component }} fail all the time',
    description: `${share('three days')}, and still are: more than the error budget allows.`,
    dashboard: 'engawa-overview',
  }),
];
