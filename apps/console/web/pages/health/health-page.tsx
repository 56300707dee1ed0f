import { batch, signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { ProblemError } from '@engawa/client';
import { authorizedFetch } from '../../api/client.ts';
import { repeatWhileActive } from '../../api/while-active.ts';
import { formatDateTime } from '../../i18n/format.ts';
import { shared } from '../../i18n/shared.ts';
import { registerKeys } from '../../keyboard/keys.ts';
import { Button } from '../../parts/button.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { ErrorState, LoadingState } from '../../parts/states.tsx';
import { AlertsCard } from './alerts-card.tsx';
import { BrokerCard } from './broker-card.tsx';
import { CostCard } from './cost-card.tsx';
import { ServicesCard } from './services-card.tsx';
import { healthTexts } from './texts.ts';
import { Verdict } from './verdict.tsx';
import { Unverified } from './unverified.tsx';
import type { StatusReport, UnverifiedStatus } from '../../../src/status/status-report.ts';
import './health.css';

/** Milliseconds between requests while the page is visible. */
const refreshMs = 10_000;

/** The last report, with the error of a later request that failed, or what the console says without a valid token. */
class StatusStore {
  readonly report = signal<StatusReport | undefined>(undefined);
  readonly unverified = signal<UnverifiedStatus | undefined>(undefined);
  readonly error = signal<unknown>(undefined);

  async load(): Promise<void> {
    try {
      const response = await authorizedFetch('/api/status');
      const body: unknown = await response.json();
      if (response.status === 503 && isUnverified(body)) {
        batch(() => {
          this.unverified.value = body;
          this.error.value = undefined;
        });
        return;
      }
      if (!response.ok) {
        throw new ProblemError(response.status, body as Record<string, unknown>);
      }
      batch(() => {
        this.report.value = body as StatusReport;
        this.unverified.value = undefined;
        this.error.value = undefined;
      });
    } catch (error) {
      this.error.value = error;
    }
  }
}

/** A proxy in front of the console has other responses with this status. */
function isUnverified(body: unknown): body is UnverifiedStatus {
  return typeof body === 'object' && body !== null && 'services' in body;
}

/** What is wrong first; then services, alerts, the broker session, and units with their cost. */
export function HealthPage() {
  const [store] = useState(() => new StatusStore());
  useEffect(() => {
    void store.load();
    return repeatWhileActive(() => void store.load(), refreshMs);
  }, [store]);
  useLayoutEffect(() => {
    const label = (): string => healthTexts.value.reload;
    return registerKeys([{ key: 'u', label, run: () => void store.load() }]);
  }, [store]);
  const tools = <Button onClick={() => void store.load()}>{healthTexts.value.reload}</Button>;
  return (
    <PageFrame title={shared.value.pages.health} tools={tools}>
      <Content store={store} />
    </PageFrame>
  );
}

function Content({ store }: { store: StatusStore }) {
  const report = store.report.value;
  const unverified = store.unverified.value;
  const error = store.error.value;
  const { stale } = healthTexts.value;
  if (report === undefined && unverified === undefined) {
    if (error === undefined) return <LoadingState />;
    return <ErrorState error={error} onRetry={() => void store.load()} />;
  }
  return (
    <div class="health">
      {error !== undefined && (
        <p class="notice notice-danger" role="alert">
          {stale}
        </p>
      )}
      {unverified !== undefined && (
        <Unverified status={unverified} hasReport={report !== undefined} />
      )}
      {report !== undefined && <Report report={report} isOld={unverified !== undefined} />}
    </div>
  );
}

function Report({ report, isOld }: { report: StatusReport; isOld: boolean }) {
  return (
    <>
      {!isOld && <Verdict report={report} />}
      <ServicesCard report={report} />
      <div class="health-pair">
        <AlertsCard alerts={report.alerts} />
        <BrokerCard services={report.services} />
      </div>
      <CostCard units={report.units} />
      <p class="muted health-time">
        {healthTexts.value.askedAt(formatDateTime(new Date(report.time)))}
      </p>
    </>
  );
}
