/** `critical` wakes a person, `warning` is for the next working day (docs/adr/0027-what-wakes-a-person.md). */
export type Severity = 'critical' | 'warning';

/** Uids of the dashboards on which an alert's first look is taken. */
export type DashboardUid =
  'engawa-overview' | 'engawa-ingestion' | 'engawa-hot-partitions' | 'engawa-table-cost';

export interface RecordingRule {
  /** `level:metric:operations`, as Prometheus's own practices say. */
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
  /** Written out, since an operator's own default may be too slow for what the alerts promise. */
  interval: string;
  rules: Rule[];
}

interface AlertOptions {
  name: string;
  /** A PromQL expression whose result has the labels that the sentences name. */
  expression: string;
  /** How long it has to hold before the alert fires; at once without. */
  holdsFor?: string;
  severity: Severity;
  /** What tells rules of the same name apart. */
  labels?: Record<string, string>;
  summary: string;
  description: string;
  dashboard: DashboardUid;
}

/** An alert with what each of ours has: a severity, two sentences, its runbook and where to look first. */
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
