import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartFolder } from './chart-folder.ts';
import { documentedValues } from './documented-values.ts';
import type { DocumentedValue } from './documented-values.ts';

const introduction = `# Engawa's chart

Runs Engawa on Kubernetes: \`ingestion\` receives readings from an MQTT broker and stores them in one DynamoDB table;
\`registry\`, \`query\` and \`catalog\` serve HTTP APIs; the optional \`console\` is their web page. Each service can be
enabled separately and has its own replicas and settings. A Job creates the table.

Generated from the comments in \`values.yaml\` by \`npm run chart\`; a test fails if they differ.

## Install

For a trial on any cluster, with a broker, a DynamoDB API and three simulated homes as pods:

\`\`\`sh
helm install engawa charts/engawa --set image.repository=REGISTRY/engawa --set demo.enabled=true
helm test engawa
\`\`\`

On AWS, with roles for service accounts:

\`\`\`yaml
# values.yaml
image: { repository: REGISTRY/engawa }
table:
  name: engawa
  serviceAccount: { annotations: { eks.amazonaws.com/role-arn: 'arn:aws:iam::123456789012:role/engawa-table' } }
aws: { region: eu-west-1 }
mqtt:
  url: mqtts://broker.example:8883
  existingSecret: engawa-broker # with username and password
auth:
  mode: jwt
  issuer: https://issuer.example/
  audience: engawa
defaults:
  serviceAccount: { annotations: { eks.amazonaws.com/role-arn: 'arn:aws:iam::123456789012:role/engawa' } }
\`\`\`

\`\`\`sh
helm upgrade --install engawa charts/engawa --values values.yaml --wait
\`\`\`

[docs/deploy.md](../../docs/deploy.md) describes permissions, sizes, upgrades and monitoring.

## How values become settings

Services are configured by [environment variables](../../docs/reference/configuration.md). Some variables have a chart
value of their own (\`mqtt.window\` sets \`MQTT_WINDOW\`); the chart derives ports, addresses and shutdown times from other
values. Set all other variables by name under \`settings\`: \`defaults.settings\` applies to all services;
\`<service>.settings\` applies to one service and overrides the default. An empty setting has the service's default.
Values contain no secrets: a value named \`existingSecret\` is the name of an existing Secret, and its keys are in
\`existingSecretKeys\`. Instead, \`extraEnv\` may have a secret setting with \`valueFrom.secretKeyRef\`.

Every key of \`defaults\` applies to each service, unless the service overrides it: \`query.replicas\` overrides
\`defaults.replicas\`.

## Values
`;

/** The README of the chart. */
export function chartReadme(values = valuesFile()): string {
  const { rows } = documentedValues(values);
  const groups = Map.groupBy(rows, ({ path }) => (path.includes('.') ? path.split('.')[0] : ''));
  const sections = [...groups].map(([group, members]) => {
    const title = group === '' ? 'Names and pulling' : `\`${group ?? ''}\``;
    return [`### ${title}`, '', ...tableOf(members)].join('\n');
  });
  return `${introduction}\n${sections.join('\n\n')}\n`;
}

export function valuesFile(): string {
  return readFileSync(join(chartFolder, 'values.yaml'), 'utf8');
}

function tableOf(rows: readonly DocumentedValue[]): string[] {
  const lines = rows.map(
    ({ path, default: value, description }) =>
      `| \`${path}\` | ${code(value)} | ${cell(description)} |`,
  );
  return ['| value | default | description |', '| --- | --- | --- |', ...lines];
}

function code(value: string): string {
  const names = namesOfEmpty(value);
  if (names) return `${names.map((name) => `\`${name}\``).join(', ')}, each empty`;
  return value === '""' ? '–' : `\`${cell(value)}\``;
}

/** The keys of a map whose values are all empty. */
function namesOfEmpty(value: string): string[] | undefined {
  const plain = JSON.parse(value) as unknown;
  if (typeof plain !== 'object' || plain === null) return undefined;
  const entries = Object.entries(plain);
  const isEmpty = entries.length > 0 && entries.every(([, inside]) => inside === '');
  return isEmpty ? entries.map(([name]) => name) : undefined;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
