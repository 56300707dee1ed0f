import type { ServiceStatus, StatusReport } from '../../../src/status/status-report.ts';

/** What is wrong, as data: the page has the words. */
export type HealthProblem =
  | { kind: 'unreachable'; service: string; why: string }
  | { kind: 'lacks'; service: string; why: string; isUnready: boolean }
  | { kind: 'broker'; address: string }
  | { kind: 'alert'; summary: string };

/** All problems of a report, those of services first. */
export function problemsOf({ services, alerts }: StatusReport): HealthProblem[] {
  const firing =
    alerts.kind === 'known' ? alerts.alerts.filter(({ state }) => state === 'firing') : [];
  return [
    ...services.flatMap(problemsOfService),
    ...firing.map(({ name, summary }) => ({ kind: 'alert' as const, summary: summary ?? name })),
  ];
}

function problemsOfService({ name: service, processes, failure }: ServiceStatus): HealthProblem[] {
  if (processes.length === 0) return [{ kind: 'unreachable', service, why: failure ?? '' }];
  return processes.flatMap((process): HealthProblem[] => {
    const { address, state, missing, degraded, broker } = process;
    if (state === 'unreachable') {
      const why = [address, process.failure ?? ''].join(' ').trim();
      return [{ kind: 'unreachable', service, why }];
    }
    const unmet = [...missing, ...degraded];
    const isUnready = state === 'unready';
    return [
      ...unmet.map(({ name, reason }): HealthProblem => {
        return { kind: 'lacks', service, why: `${name}: ${reason}`, isUnready };
      }),
      // Without the requirement mqtt, which says the same.
      ...(broker?.isConnected === false && !unmet.some(({ name }) => name === 'mqtt')
        ? [{ kind: 'broker' as const, address }]
        : []),
    ];
  });
}
