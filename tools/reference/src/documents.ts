import * as catalog from '@engawa/catalog';
import { ExpiryMetrics, FullTextMetrics } from '@engawa/catalog/metrics';
import * as console from '@engawa/console';
import { problemTypes } from '@engawa/errors';
import { PeerMetrics } from '@engawa/hot-partitions';
import { HttpMetrics, TokenRejections, statusOf } from '@engawa/http';
import * as ingestion from '@engawa/ingestion';
import { IngestionMetrics } from '@engawa/ingestion/metrics';
import { MqttMetrics } from '@engawa/mqtt';
import * as query from '@engawa/query';
import { RollupMetrics } from '@engawa/query/metrics';
import * as rollup from '@engawa/query/rollup';
import * as registry from '@engawa/registry';
import * as shrink from '@engawa/registry/shrink';
import * as table from '@engawa/table/command';
import {
  documentSettings,
  Readiness,
  registerInvariantMetrics,
  registerMemoryMetrics,
  registerReadinessMetrics,
} from '@engawa/service';
import { Heat } from '@engawa/heat';
import { HeatMetrics, ShardMetrics, TableMetrics } from '@engawa/table';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { tablePage } from './key-families.ts';
import { mappingSchemaFile, mappingsPage } from './mappings.ts';
import type { ProblemCode } from '@engawa/errors';

export { keyFamilies } from '@engawa/heat';

const services = {
  ingestion,
  registry,
  query,
  catalog,
  console,
  'rollup command': rollup,
  'shrink command': shrink,
  'table command': table,
};

/** Which metrics each of our classes owns. */
const metricOwners = [
  { owner: 'ingestion', create: (target: Registry) => new IngestionMetrics(target) },
  {
    owner: 'catalog',
    create: (target: Registry) =>
      new FullTextMetrics(target, { bytes: () => 0, documents: () => 0, asOf: () => undefined }),
  },
  { owner: 'catalog', create: (target: Registry) => new ExpiryMetrics(target) },
  { owner: 'query', create: (target: Registry) => new RollupMetrics(target) },
  { owner: 'libs/mqtt, in ingestion', create: (target: Registry) => new MqttMetrics(target) },
  { owner: 'libs/table, in every service', create: (target: Registry) => new TableMetrics(target) },
  {
    owner: 'libs/table, in every service',
    create: (target: Registry) =>
      new HeatMetrics({
        heat: new Heat({ limits: { read: 1, write: 1 } }),
        nameOf: (_, partition) => partition,
        registry: target,
      }),
  },
  { owner: 'libs/table, in every service', create: (target: Registry) => new ShardMetrics(target) },
  { owner: 'libs/http, in every service', create: (target: Registry) => new HttpMetrics(target) },
  {
    owner: 'libs/hot-partitions, in every service',
    create: (target: Registry) => new PeerMetrics(target),
  },
  {
    owner: 'libs/http, in every service',
    create: (target: Registry) =>
      new TokenRejections({ registry: target, log: { warn: () => undefined } }),
  },
  {
    owner: 'libs/service, in every service',
    create: (target: Registry) => registerReadinessMetrics(new Readiness(), target),
  },
  { owner: 'libs/service, in every service', create: registerMemoryMetrics },
  { owner: 'libs/service, in every service', create: registerInvariantMetrics },
];

/** Properties of prom-client's metrics beyond their declared type. */
interface Described {
  name: string;
  help: string;
  type: string;
  labelNames: string[];
}

/** The reference documents that are made from the code, by file name. */
export function referenceDocuments(): Map<string, string> {
  return new Map([
    ['configuration.md', configuration()],
    ['metrics.md', metrics()],
    ['errors.md', errors()],
    ['table.md', tablePage()],
    ['mappings.md', mappingsPage()],
    ['mapping.schema.json', mappingSchemaFile()],
  ]);
}

function configuration(): string {
  const rows = new Map<string, { cells: string[]; services: string[] }>();
  for (const [service, { settings }] of Object.entries(services)) {
    for (const { name, default: fallback, description, secret, required } of documentSettings(
      settings,
    )) {
      const value = required ? 'required' : fallback ? code(fallback) : '–';
      const note = secret ? ' Secret.' : '';
      const row = rows.get(name) ?? { cells: [value, description + note], services: [] };
      row.services.push(service);
      rows.set(name, row);
    }
  }
  const lines = [...rows].map(([name, { cells, services: users }]) => [
    code(name),
    ...cells,
    listed(users),
  ]);
  return page(
    'Configuration',
    'Services are configured by environment variables. An empty variable counts as not set. If a variable is invalid, the\nservice exits at start with a log line that names the variable.',
    ['variable', 'default', 'purpose', 'services'],
    lines,
  );
}

/** Short for the settings of all services, or of all that open the table. */
function listed(users: readonly string[]): string {
  const others = Object.keys(services).filter((name) => !users.includes(name));
  if (others.length === 0) return 'all';
  return others.join() === 'console' ? 'all but the console' : users.join(', ');
}

/** A metric as its owner declares it. */
export interface MetricRow extends Described {
  owner: string;
}

/** Every metric of Engawa, once. */
export function metricRows(): MetricRow[] {
  return metricOwners.flatMap(({ owner, create }) => rowsOf(owner, create));
}

/** The metrics of every Node process, as `libs/service` registers them. */
export function processMetricRows(): MetricRow[] {
  return rowsOf('Node', (register) => {
    collectDefaultMetrics({ register });
  });
}

function rowsOf(owner: string, create: (target: Registry) => unknown): MetricRow[] {
  const target = new Registry();
  create(target);
  const described = target.getMetricsAsArray() as unknown as Described[];
  return described.map(({ name, type, labelNames, help }) => ({
    name,
    type,
    labelNames,
    help,
    owner,
  }));
}

function metrics(): string {
  const lines = metricRows().map(({ name, type, labelNames, help, owner }) => [
    code(name),
    type,
    labelNames.map(code).join(', ') || '–',
    help,
    owner,
  ]);
  return page(
    'Metrics',
    'Each service exposes its metrics on `/metrics`, together with the metrics of every Node process (`process_…`,\n`nodejs_…`). Label values are bounded: no label names a device, a topic or a key, except `partition`, which names the\nten hottest keys of each index and unit in the form set by `HOT_PARTITION_KEYS`.',
    ['metric', 'type', 'labels', 'description', 'component'],
    lines,
  );
}

function errors(): string {
  const codes = Object.keys(problemTypes) as ProblemCode[];
  const lines = codes.map((name) => [
    code(`/problems/${name}`),
    String(statusOf[name]),
    problemTypes[name].title,
    problemTypes[name].advice,
  ]);
  return page(
    'Errors',
    'Every error response is `application/problem+json` (RFC 9457) with a stable `type`. `detail` describes this occurrence,\nand `errors` lists the invalid fields.',
    ['type', 'status', 'title', 'action'],
    lines,
  );
}

function page(title: string, introduction: string, header: string[], lines: string[][]): string {
  const row = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const table = [row(header), row(header.map(() => '---')), ...lines.map(row)].join('\n');
  return `# ${title}\n\n${introduction}\n\nGenerated from the code by \`npm run reference\`; a test fails if they differ.\n\n${table}\n`;
}

function code(text: string): string {
  return `\`${text}\``;
}
