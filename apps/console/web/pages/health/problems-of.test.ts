import { problemsOf } from './problems-of.ts';
import type { ProcessStatus, StatusReport } from '../../../src/status/status-report.ts';

function report(processes: ProcessStatus[], overrides: Partial<StatusReport> = {}): StatusReport {
  const units = { read: 0, write: 0 };
  return {
    time: '2026-11-26T01:00:00Z',
    console: { version: '1', startedAt: '2026-11-26T00:00:00Z' },
    services: [{ name: 'ingestion', processes }],
    alerts: { kind: 'not-configured' },
    units: {
      ...{ since: '2026-11-26T00:00:00Z', services: [], total: units, dollars: 0, minutes: [] },
      price: { ...units, source: 's' },
    },
    ...overrides,
  };
}

const ready: ProcessStatus = { address: 'a', state: 'ready', missing: [], degraded: [] };
const session = { isConnected: false, connects: 0, sessionsLost: 0, failedSelfTests: 0 };
const broker = { ...session, unacknowledged: 0, oldestSeconds: 0 };
const mqtt = { name: 'mqtt', reason: 'no connection' };

it.each([
  ['all is well', report([ready]), []],
  [
    'a process is stopped',
    report([ready, { ...ready, address: 'b', state: 'unreachable', failure: 'ECONNREFUSED' }]),
    [{ kind: 'unreachable', service: 'ingestion', why: 'b ECONNREFUSED' }],
  ],
  [
    'a service has no process',
    report([], { services: [{ name: 'query', processes: [], failure: 'ENOTFOUND' }] }),
    [{ kind: 'unreachable', service: 'query', why: 'ENOTFOUND' }],
  ],
  [
    'a process lacks the broker, which is named once',
    report([{ ...ready, state: 'degraded', degraded: [mqtt], broker }]),
    [{ kind: 'lacks', service: 'ingestion', requirement: mqtt, isUnready: false }],
  ],
  ['the broker is away', report([{ ...ready, broker }]), [{ kind: 'broker', address: 'a' }]],
  [
    'alerts are firing',
    report([ready], {
      alerts: {
        kind: 'known',
        alerts: [
          { name: 'EngawaAbsent', state: 'firing' },
          { name: 'EngawaNotReady', state: 'pending' },
        ],
      },
    }),
    [{ kind: 'alert', alert: { name: 'EngawaAbsent', state: 'firing' } }],
  ],
] as const)('%s', (_name, given, problems) => {
  expect(problemsOf(given)).toEqual(problems);
});
