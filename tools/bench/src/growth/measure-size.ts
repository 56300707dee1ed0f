import { SerialClient } from '../query/serial-client.ts';
import { fill, subject } from './fill.ts';
import { usagePerRequest } from './measured-service.ts';
import { patternsOf } from './patterns.ts';
import type { Month } from './fill.ts';
import type { MeasuredService, ServiceUsage } from './measured-service.ts';
import type { Pattern } from './patterns.ts';
import type { GrowthRig } from './rig.ts';
import type { Size } from './sizes.ts';

/** Usage by the name of the access pattern. */
export type SizeCosts = Map<string, ServiceUsage>;

/** Requests before a measured pattern: caches are filled, rollups are computed, code is compiled. */
const warmUp = 50;

/** Fills a table, and measures every access pattern with services that were started with this table. */
export function measureSize(
  rig: GrowthRig,
  size: Size,
  month: Month,
  requests: number,
): Promise<SizeCosts> {
  return rig.withTable(async (table) => {
    await fill(table.items, size, month);
    const costs: SizeCosts = new Map();
    for (const service of ['query', 'registry'] as const) {
      const patterns = patternsOf(month).filter((pattern) => pattern.service === service);
      await rig.withService(service, table, async (started) => {
        for (const pattern of patterns) {
          costs.set(pattern.name, await measurePattern(started, pattern, requests));
        }
      });
    }
    await rig.withService('ingestion', table, async (ingestion) => {
      costs.set('start of ingestion', await ingestion.usage()); // it reads the device list
      costs.set('storing a reading', await measureStoring(ingestion, requests));
    });
    return costs;
  });
}

async function measurePattern(
  service: MeasuredService,
  { path }: Pattern,
  requests: number,
): Promise<ServiceUsage> {
  const client = new SerialClient(service.url);
  try {
    await client.askOften(path, warmUp);
    const before = await service.usage();
    await client.askOften(path, requests);
    return usagePerRequest(before, await service.usage(), requests);
  } finally {
    await client.close();
  }
}

/** Sends current readings of the subject one after the other. */
async function measureStoring(ingestion: MeasuredService, requests: number): Promise<ServiceUsage> {
  let ts = 0;
  const send = async (): Promise<void> => {
    ts = Math.max(ts + 1, Date.now());
    const response = await fetch(`${ingestion.url}/v1/readings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ device: subject, ts, temperature: 21.4 }),
    });
    const body = await response.text();
    if (response.status !== 202) throw new Error(`a reading was not stored: ${body}`);
  };
  for (let number = 0; number < warmUp; number++) await send();
  const before = await ingestion.usage();
  for (let number = 0; number < requests; number++) await send();
  return usagePerRequest(before, await ingestion.usage(), requests);
}
