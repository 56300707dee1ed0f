import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';

export interface HouseUrls {
  consoleUrl: string;
  mqttUrl: string;
}

/** Milliseconds between two requests. */
const pollIntervalMs = 500;

/** A device of each simulated home. */
const devices = ['climate-tanaka-living', 'climate-sato-kitchen', 'climate-smith-kitchen'];
/** A home has published its history when its newest reading is not older: a gateway uploads every ten minutes. */
const currentMs = 12 * 60_000;

/** Messages that are refused, each for its own reason: topic and payload. */
const refused = [
  ['engawa/garden-sensor/readings', '{ "temperature": 21.5, "ts": "yesterday" }'],
  ['engawa/garden-sensor/readings', '{ "temperature": 21.7, "ts": "today" }'],
  ['engawa/garage-door/readings', '{ "contact": true'],
  ['engawa/meter-old/readings', '{ "energyImport": 123456789012345678901234567890123456789 }'],
] as const;

/**
 * Waits until the simulated homes have published their history, and adds what a house has besides: a device that waits
 * for approval, and messages that could not be stored.
 * @throws Error if a home has no current readings after `timeoutMs`
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
  for (const device of devices) {
    const latest = `${consoleUrl}/api/query/v1/devices/${device}/latest?limit=1`;
    while (!(await isCurrent(latest))) {
      if (Date.now() > deadline) throw new Error(`there are no current readings at ${latest}`);
      await sleep(pollIntervalMs);
    }
  }
}

async function isCurrent(url: string): Promise<boolean> {
  const response = await fetch(url);
  if (!response.ok) return false;
  const { readings } = (await response.json()) as { readings: { time: string }[] };
  return Date.now() - Date.parse(readings[0]?.time ?? '') < currentMs;
}
