import { errorRatio, failed, requestGrowth } from '../recording/http.ts';
import { alertRule } from '../rule.ts';
import { burning, burns } from './burn.ts';
import { allowedErrors } from '../objective.ts';

const budget = {
  ratio: errorRatio,
  allowed: allowedErrors,
  bad: (minutes: number) => requestGrowth(minutes, ...failed),
};

const summaries: Readonly<Record<string, string>> = {
  '1h': 'requests to {{ $labels.component }} fail',
  '6h': 'some requests to {{ $labels.component }} fail',
  '1d': 'some requests to {{ $labels.component }} have failed for a day',
  '3d': 'a few requests to {{ $labels.component }} have failed for three days',
};

export const errorBudget = burns.map((burn) => {
  const { long, severity, inWords, lasts } = burn;
  return alertRule({
    name: severity === 'critical' ? 'EngawaErrorBudgetFastBurn' : 'EngawaErrorBudgetSlowBurn',
    expression: burning(burn, budget),
    severity,
    ...(severity !== 'critical' && { labels: { window: long } }),
    summary: `{{ $labels.release }}: ${summaries[long] ?? ''}`,
    description: `{{ $value | humanizePercentage }} of the requests to {{ $labels.component }} were answered with 5xx in the last ${inWords}, and still are. At this rate the error budget of 30 days lasts for ${lasts} at most.`,
    dashboard: 'engawa-overview',
  });
});
