import { Age } from '../../parts/age.tsx';
import { ServiceText } from '../../parts/service-text.tsx';
import { healthTexts } from './texts.ts';
import { summaryOf } from './translate-health.ts';
import type { Alert, AlertsStatus } from '../../../src/status/status-report.ts';

/** The active alerts of Engawa's rules. */
export function AlertsCard({ alerts }: { alerts: AlertsStatus }) {
  return (
    <section class="health-card" aria-labelledby="health-alerts">
      <h2 id="health-alerts">{healthTexts.value.alerts}</h2>
      <Content alerts={alerts} />
    </section>
  );
}

function Content({ alerts }: { alerts: AlertsStatus }) {
  const { notConfigured, alertsFailed, noAlerts } = healthTexts.value;
  if (alerts.kind === 'not-configured') {
    return (
      <p class="health-card-text muted">
        {notConfigured} <code>PROMETHEUS_URL=http://prometheus-operated:9090</code>
      </p>
    );
  }
  if (alerts.kind === 'failed') {
    return <p class="health-card-text health-card-warning">{alertsFailed(alerts.failure)}</p>;
  }
  if (alerts.alerts.length === 0) return <p class="health-card-text muted">{noAlerts}</p>;
  return (
    <ul class="health-alert-list">
      {alerts.alerts.map((alert, index) => (
        <AlertRow key={index} alert={alert} />
      ))}
    </ul>
  );
}

function AlertRow({ alert }: { alert: Alert }) {
  const { name, state, severity, summary = name, description, runbookUrl, since } = alert;
  const texts = healthTexts.value;
  const severities: Readonly<Record<string, string>> = texts.severities;
  const urgency = state === 'firing' && severity === 'critical' ? 'critical' : state;
  return (
    <li>
      <p class="health-alert-head">
        <span class={`health-badge health-badge-${urgency}`}>
          {state === 'firing' ? texts.firing : texts.pending}
          {severity !== undefined && ` · ${severities[severity] ?? severity}`}
        </span>
        {since !== undefined && <Age time={since} />}
        {runbookUrl !== undefined && (
          <a href={runbookUrl} target="_blank" rel="noreferrer">
            {texts.runbook}
          </a>
        )}
      </p>
      <p>
        <strong>
          <ServiceText text={summary} translated={summaryOf(alert)} />
        </strong>
      </p>
      {description !== undefined && (
        <p class="muted" lang="en">
          {description}
        </p>
      )}
      <p class="muted health-alert-name">{name}</p>
    </li>
  );
}
