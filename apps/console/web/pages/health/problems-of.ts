import type {
  Alert,
  Requirement,
  ServiceStatus,
  StatusReport,
} from '../../../src/status/status-report.ts';

/** What is wrong, as data: the page has the words. */
export type HealthProblem =
  | { kind: 'unreachable'; service: string; why: string }
  | { kind: 'lacks'; service: string; requirement: Requirement; isUnready: boolean }
  | { kind: 'broker'; address: string }
  | { kind: 'alert'; alert: Alert };

/** All problems of a report, those of services first. */
export function problemsOf({ services, alerts }: StatusReport): HealthProblem[] {
  const firing =
    alerts.kind === 'known' ? alerts.alerts.filter(({ state }) => state === 'firing') : [];
  return [
    ...services.flatMap(problemsOfService),
    ...firing.map((alert) => ({ kind: 'alert' as const, alert })),
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
      ...unmet.map((requirement): HealthProblem => {
        return { kind: 'lacks', service, requirement, isUnready };
      }),
      // Without the requirement mqtt, which says the same.
      ...(broker?.isConnected === false && !unmet.some(({ name }) => name === 'mqtt')
        ? [{ kind: 'broker' as const, address }]
        : []),
    ];
  });
}
