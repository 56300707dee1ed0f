import { of } from './promtool.ts';

export const fast = 'EngawaErrorBudgetFastBurn';
export const slow = 'EngawaErrorBudgetSlowBurn';

/** The counter of a component's responses with a status. */
export function answered(status: number, pod = 'query-a', component = 'query'): string {
  const labels = { component, pod, method: 'GET', route: '/v1/devices/{id}' };
  const name = 'http_server_request_duration_seconds_count';
  return of(name, { ...labels, status: String(status) });
}

/** The alert does not fire at these times. */
export const silent = (alert: string, ...times: string[]) =>
  times.map((at) => ({ at, alert, with: [] as [] }));
