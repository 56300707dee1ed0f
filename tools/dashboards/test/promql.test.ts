import { metricRows, processMetricRows } from '@engawa/reference';
import { targetLabels } from '../src/promql/known-series.ts';
import { labelsOf } from '../src/promql/labels-of.ts';

const series: Record<string, string[]> = {
  requests_total: ['route', 'status', 'pod'],
  seconds_bucket: ['route', 'pod', 'le'],
  threads: ['pod'],
};

function labels(expression: string): string[] | 'scalar' {
  const found = labelsOf(expression, (name) => {
    const its = series[name];
    if (its === undefined) throw new Error(`there is no metric ${name}`);
    return new Set(its);
  });
  return found === 'scalar' ? found : [...found].sort();
}

describe('the labels of a PromQL expression', () => {
  it.each([
    ['requests_total', ['pod', 'route', 'status']],
    ['rate(requests_total{status=~"5.."}[$__rate_interval])', ['pod', 'route', 'status']],
    ['sum(requests_total)', []],
    ['sum by (route, pod) (rate(requests_total[5m])) > 0.7', ['pod', 'route']],
    ['sum(rate(requests_total[5m])) by (route)', ['route']],
    ['max without (pod) (threads)', []],
    ['topk(10, sum by (pod) (requests_total))', ['pod']],
    ['histogram_quantile(0.99, sum by (le, route) (rate(seconds_bucket[5m])))', ['route']],
    ['max_over_time(sum by (pod) (rate(requests_total[1m]))[$__range:1m]) / 0.7', ['pod']],
    ['sum by (pod) (requests_total) - threads', ['pod']],
    ['requests_total / on (pod) group_left () threads', ['pod', 'route', 'status']],
    ['threads unless threads offset 5m and on (pod) requests_total', ['pod']],
    ['threads and topk(3, max_over_time(threads[1h:] @ end()))', ['pod']],
    ['count_values by (pod) ("number", requests_total)', ['number', 'pod']],
    ['label_replace(threads, "what", "$1", "pod", "(.*)")', ['pod', 'what']],
    ['$price * threads', ['pod']],
    ['threads{pod=~"${pod:regex}"} offset ${shift}', ['pod']],
    ['threads # a comment', ['pod']],
    ['threads / on (pod) group_right (status) requests_total', ['pod', 'route', 'status']],
    ['sum by (pod) (requests_total) or vector(0)', ['pod']],
    ['requests_total - ignoring (route, status) threads', ['pod']],
    ['time() - 3 ^ -2', 'scalar'],
  ])('%s', (expression, expected) => {
    expect(labels(expression)).toEqual(expected);
  });

  it.each([
    ['rate(request_total[5m])', 'there is no metric request_total'],
    ['requests_total{code="500"}', 'requests_total{…}: no label code'],
    ['sum by (code) (requests_total)', 'sum by: no label code'],
    ['sum without (code) (requests_total)', 'sum without: no label code'],
    ['histogram_quantile(0.5, sum by (route) (seconds_bucket))', 'no label le'],
    ['sum by (route) (requests_total) / threads', 'the sides of / never match: route, pod'],
    ['requests_total and threads', 'the sides of and never match'],
    ['requests_total / on (route) threads', 'right of / on: no label route'],
    ['sum(requests_total', 'not PromQL at “”'],
    ['threads threads', 'not PromQL at “threads”'],
    ['threads ? 3', 'not PromQL at “? 3”'],
    ['{pod="a"}', 'there is no metric'],
  ])('refuses %s', (expression, message) => {
    expect(() => labels(expression)).toThrow(message);
  });
});

it('no metric has a label that Prometheus adds to scraped series and would rename', () => {
  // The last three come from the operator.
  const taken = new Set([...targetLabels, 'service', 'endpoint', 'container']);
  const rows = [...metricRows(), ...processMetricRows()];
  expect(rows.filter(({ labelNames }) => labelNames.some((label) => taken.has(label)))).toEqual([]);
});
