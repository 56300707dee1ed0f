import { infinityType } from './infinity.ts';
import type { Panel, RowPanel } from '@grafana/grafana-foundation-sdk/dashboard';
import type { NamedDashboard } from './build-dashboard.ts';

const introduction = `# Dashboards

Made from the code by \`npm run dashboards\`; a test fails where they differ. The code is in
[tools/dashboards](../tools/dashboards).

## With the chart

The chart brings them as ConfigMaps with the label that Grafana’s sidecar looks for, the recording rules and alerts as a
PrometheusRule, and a ServiceMonitor:

\`\`\`sh
helm upgrade engawa … --set monitoring.serviceMonitor.enabled=true \\
  --set monitoring.rules.enabled=true --set monitoring.dashboards.enabled=true
\`\`\`

Each has the variables \`namespace\` and \`release\`, so that one Grafana shows all releases; import them from one release only.

## Without the chart

1. In Grafana (11 or 12), Dashboards → New → Import, and take the files in
   [charts/engawa/dashboards](../charts/engawa/dashboards). They have no ids and stable uids: an import replaces what an older
   one has brought.
2. Prometheus has to put these labels on every series, as the chart’s ServiceMonitors do: \`namespace\`, \`release\`, \`component\`
   (\`ingestion\`, \`registry\`, \`query\` or \`catalog\`) and \`pod\`. Without Kubernetes, any texts do:

   \`\`\`yaml
   scrape_configs:
     - job_name: engawa
       scrape_interval: 15s
       static_configs:
         - targets: [ingestion-1:9464]
           labels: { namespace: home, release: engawa, component: ingestion, pod: ingestion-1 }
   \`\`\`

3. Error budget, unaccounted messages and alerts need the rules in
   [charts/engawa/rules/engawa.yaml](../charts/engawa/rules/engawa.yaml), with \`$namespace\`, \`$release\`, \`$runbooks\` (where
   the pages of [docs/runbooks](runbooks) can be read) and the objective (shares that may fail or be slow, seconds) replaced in them:

   \`\`\`sh
   sed 's/$namespace/home/g; s/$release/engawa/g; s|$runbooks|https://example.com/runbooks|g;
     s/$allowed_errors/0.001/g; s/$allowed_slow/0.01/g; s/$target_seconds/1/g' engawa.yaml
   \`\`\`

Prometheus has to scrape at least every 15 s, as the ServiceMonitor does: some rules look at no more than a minute, and a hot
partition is told within one. The error budget is of 30 days; failures before those that Prometheus keeps are not counted (\`--storage.tsdb.retention.time\`;
15 unless it is set).

## The data source for device data

The dashboard *device data*, and the panel “Hot keys, explained” of *hot partitions*, ask the query API. They need the plugin
[Infinity](https://grafana.com/grafana/plugins/${infinityType}/) (3.0 or newer), and a data source of it:

| setting | value |
| --- | --- |
| Base URL | the query service: \`http://engawa-query.home:8080\` in the same cluster, for the release \`engawa\` in the namespace \`home\`; \`networkPolicy.apiClients\` has to let Grafana in |
| Authentication | Bearer token, one that has the scope \`query:read\`; none with \`AUTH_MODE=none\` |
| Allowed hosts | the same URL |

Everybody who may use that data source reads with its token.
`;

/** docs/dashboards.md: what each dashboard and each panel is for. */
export function dashboardsPage(dashboards: readonly NamedDashboard[]): string {
  return [introduction, ...dashboards.map(sectionOf)].join('\n');
}

function sectionOf({ name, title, purpose, model }: NamedDashboard): string {
  const rows = (model.panels ?? []).map(rowOf).join('\n');
  return `## ${capital(title)}

${purpose}

![${title}](dashboards/${name}.png)

| panel | what it is for |
| --- | --- |
${rows}
`;
}

function rowOf(panel: Panel | RowPanel): string {
  if (panel.type === 'row') return `| **${cell(panel.title)}** | |`;
  return `| ${cell(panel.title)} | ${cell((panel as Panel).description)} |`;
}

function cell(text = ''): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
