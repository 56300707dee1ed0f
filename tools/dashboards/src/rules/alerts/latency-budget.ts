import { slowGrowth, slowRatio } from '../recording/http.ts';
import { alertRule } from '../rule.ts';
import { burning, burns } from './burn.ts';
import { allowedSlow, targetSeconds } from '../objective.ts';

const budget = { ratio: slowRatio, allowed: allowedSlow, bad: slowGrowth };

export const latencyBudget = burns.map((burn) => {
  const { long, severity, inWords, lasts } = burn;
  return alertRule({
    name: severity === 'critical' ? 'EngawaLatencyBudgetFastBurn' : 'EngawaLatencyBudgetSlowBurn',
    expression: burning(burn, budget),
    severity,
    ...(severity !== 'critical' && { labels: { window: long } }),
    summary: '{{ $labels.release }}: requests to {{ $labels.component }} are slow',
    description: `{{ $value | humanizePercentage }} of the requests to {{ $labels.component }} took longer than ${targetSeconds} s in the last ${inWords}, and still do. At this rate the latency budget of 30 days lasts for ${lasts} at most.`,
    dashboard: 'engawa-overview',
  });
});
