import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';

export interface HouseUrls {
  consoleUrl: string;
  mqttUrl: string;
}

/** Milliseconds between two requests. */
const pollIntervalMs = 500;

/** Messages that are refused, each for its own reason: topic and payload. */
const refused = [
  ['engawa/garden-sensor/readings', '{ "temperature": 21.5, "ts": "yesterday" }'],
  ['engawa/garden-sensor/readings', '{ "temperature": 21.7, "ts": "today" }'],
  ['engawa/garage-door/readings', '{ "contact": true'],
  ['engawa/meter-old/readings', '{ "energyImport": 123456789012345678901234567890123456789 }'],
] as const;

/**
 * Waits until the simulated homes have readings, and adds what a house has besides: a device that waits for approval,
 * and messages that could not be stored.
 * @throws Error if there are no readings after `timeoutMs`
 */
export async function prepareHouse(
  { consoleUrl, mqttUrl }: HouseUrls,
  timeoutMs: number,
): Promise<void> {
  const client = await connectAsync(mqttUrl, { protocolVersion: 4 });
  for (const [topic, payload] of refused) await client.publishAsync(topic, payload, { qos: 1 });
  await client.endAsync();
  await fetch(`${consoleUrl}/api/registry/v1/devices/garden-sensor`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Garden sensor', status: 'pending' }),
  });
  const deadline = Date.now() + timeoutMs;
  const latest = `${consoleUrl}/api/query/v1/devices/climate-tanaka-living/latest?limit=1`;
  while (!(await hasReadings(latest))) {
    if (Date.now() > deadline) throw new Error(`there are no readings at ${latest}`);
    await sleep(pollIntervalMs);
  }
}

async function hasReadings(url: string): Promise<boolean> {
  const response = await fetch(url);
  if (!response.ok) return false;
  const { readings } = (await response.json()) as { readings: unknown[] };
  return readings.length > 0;
}
