import { launchServiceProcess, startServiceProcess } from '@engawa/embedded';
import { ensureTable } from '@engawa/table';
import { chartHeap } from '@engawa/testing';
import { clientId } from './peer.ts';
import type { Peer, TableTarget } from './peer.ts';
import type { StoredReading } from './verdict.ts';

export interface EngawaOptions {
  name: 'engawa' | 'engawa-no-linger';
  about: string;
  environment: Readonly<Record<string, string>>;
  nodeOptions: readonly string[];
}

/** Ingestion as in production: the chart's heap size, MQTT 5, and all checks and bookkeeping. */
export function engawaPeer({ name, about, environment, nodeOptions }: EngawaOptions): Peer {
  return {
    name,
    about,
    createTable: async (target) => {
      await ensureTable({ ...target, timeoutMs: 5000 });
    },
    launch: (target) =>
      launchServiceProcess({
        service: 'ingestion',
        environment: {
          ...locationOf(target),
          MQTT_URL: target.mqttUrl,
          MQTT_CLIENT_ID: clientId,
          // The times of the readings advance faster than the clock.
          READING_MAX_AHEAD_HOURS: '8784',
          ...environment,
        },
        nodeOptions: [...chartHeap().nodeOptions, ...nodeOptions],
      }),
    readBack,
  };
}

function locationOf({ endpoint, tableName }: TableTarget): Record<string, string> {
  return { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: tableName, LOG_LEVEL: 'error' };
}

interface Line {
  time: string;
  fields: Record<string, unknown>;
}

/** Everything that the query service returns for the devices. */
async function readBack(target: TableTarget, devices: readonly string[]): Promise<StoredReading[]> {
  const query = await startServiceProcess({
    service: 'query',
    environment: {
      ...locationOf(target),
      RATE_LIMIT_PER_MINUTE: '0',
      REQUEST_UNIT_LIMIT: '1000000000',
      REQUEST_DEADLINE_MS: '600000',
    },
  });
  const readings: StoredReading[] = [];
  try {
    for (const device of devices) {
      const lines = await readingsOf(query.url, device);
      for (const { time, fields } of lines) {
        readings.push({ device, time: Date.parse(time), fields });
      }
    }
  } finally {
    await query.end('SIGKILL');
  }
  return readings;
}

/** The longest range that the query service accepts is 366 days; the readings are at most some months ahead. */
const daysBefore = 30;
const daysAfter = 330;

async function readingsOf(url: string, device: string): Promise<Line[]> {
  const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const range = `from=${dayFromNow(-daysBefore)}&to=${dayFromNow(daysAfter)}`;
  const response = await fetch(`${url}/v1/devices/${device}/readings?${range}`, {
    headers: { accept: 'application/x-ndjson' },
  });
  const text = await response.text();
  if (response.status === 404) return [];
  if (!response.ok) throw new Error(`query answered ${response.status}: ${text}`);
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Line);
}
