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

/** Years before and after now, so that every reading of a measurement is inside. */
const range = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';

async function readingsOf(url: string, device: string): Promise<Line[]> {
  const response = await fetch(`${url}/v1/devices/${device}/readings?${range}`, {
    headers: { accept: 'application/x-ndjson' },
  });
  const text = await response.text();
  if (response.status === 404) return [];
  if (!response.ok) throw new Error(`query answered ${response.status}: ${text}`);
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Line);
}
