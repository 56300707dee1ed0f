/** `critical` wakes a person, `warning` is for the next working day (docs/adr/0027-alert-severities.md). */
export type Severity = 'critical' | 'warning';

/** Uids of the dashboards that alerts name. */
export type DashboardUid =
  'engawa-overview' | 'engawa-ingestion' | 'engawa-hot-partitions' | 'engawa-table-cost';

export interface RecordingRule {
  /** `level:metric:operations`, as in Prometheus's best practices. */
  record: string;
  expr: string;
}

export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: Severity } & Record<string, string>;
  annotations: {
    summary: string;
    description: string;
    runbook_url: string;
    dashboard: DashboardUid;
  };
}

export interface RuleGroup<Rule = RecordingRule | AlertRule> {
  name: string;
  /** Explicit, since the operator's default may be too slow for the promised times of alerts. */
  interval: string;
  rules: Rule[];
}

interface AlertOptions {
  name: string;
  /** A PromQL expression whose result has the labels of the sentences. */
  expression: string;
  /** `for` of the rule; without, the alert fires at once. */
  holdsFor?: string;
  severity: Severity;
  /** Labels that distinguish rules of the same name. */
  labels?: Record<string, string>;
  summary: string;
  description: string;
  dashboard: DashboardUid;
}

/** An alert with a severity, a summary, a description, a runbook and a dashboard. */
export function alertRule(options: AlertOptions): AlertRule {
  const { name, expression, holdsFor, severity, labels, summary, description, dashboard } = options;
  return {
    alert: name,
    expr: expression,
    ...(holdsFor !== undefined && { for: holdsFor }),
    labels: { severity, ...labels },
    annotations: { summary, description, runbook_url: `$runbooks/${name}.md`, dashboard },
  };
}
