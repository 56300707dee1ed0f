import { relative } from 'node:path';
import { dataFolder } from './stack.ts';
import type { Ports } from './addresses.ts';
import type { Stack } from './stack.ts';

/** Where everything is, and what to try. */
export function summary({ mqttUrl, dynamoDbEndpoint }: Stack, ports: Ports): string {
  const http = (port: number) => `http://127.0.0.1:${port}`;
  const service = (name: string, port: number, metricsPort: number) =>
    `  ${name.padEnd(10)} ${http(port)}/docs    metrics ${http(metricsPort)}/metrics`;
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString().replace(/\.\d+/, '');
  return `
Engawa runs.

  MQTT       ${mqttUrl}    topic engawa/<device>/readings
  DynamoDB   ${dynamoDbEndpoint}    data in ${relative(process.cwd(), dataFolder) || dataFolder}/
${service('ingestion', ports.INGESTION_PORT, ports.INGESTION_METRICS_PORT)}
${service('registry', ports.REGISTRY_PORT, ports.REGISTRY_METRICS_PORT)}
${service('query', ports.QUERY_PORT, ports.QUERY_METRICS_PORT)}

Try:

  curl '${http(ports.QUERY_PORT)}/v1/devices/meter-tanaka/latest?limit=3'
  curl '${http(ports.QUERY_PORT)}/v1/devices/climate-tanaka-living/readings?from=${anHourAgo}&fields=temperature'
  curl '${http(ports.REGISTRY_PORT)}/v1/devices?limit=5'

Ctrl-C ends all of it.
`;
}
