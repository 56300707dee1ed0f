import { relative } from 'node:path';
import type { Ports } from './addresses.ts';
import type { Stack } from './stack.ts';

const http = (port: number): string => `http://127.0.0.1:${port}`;

/** URLs that have data as soon as the simulated homes have published their first readings. */
export function homeUrls(ports: Ports): string[] {
  const query = `${http(ports.QUERY_PORT)}/v1`;
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  const range = `from=${day(7).slice(0, 13)}:00Z&to=${day(6).slice(0, 13)}:00Z`;
  return [
    `${query}/devices/meter-tanaka/latest?limit=3`,
    `${query}/places/tanaka/aggregates?fields=power&fn=avg,max&every=PT1H&${range}`,
    `${http(ports.REGISTRY_PORT)}/v1/places/tanaka`,
  ];
}

/** Commands to try: without simulated homes, the first one publishes the reading that the others query. */
function commands(ports: Ports, simulator: boolean): string[] {
  if (simulator) return homeUrls(ports).map((url) => `curl '${url}'`);
  const reading = { device: 'my-sensor', ts: new Date().toISOString(), temperature: 21.5 };
  return [
    `curl -H 'content-type: application/json' -d '${JSON.stringify([reading])}' '${http(ports.INGESTION_PORT)}/v1/readings'`,
    `curl '${http(ports.QUERY_PORT)}/v1/devices/my-sensor/latest?limit=10'`,
    `curl '${http(ports.REGISTRY_PORT)}/v1/devices'`,
  ];
}

/** The addresses of everything, and commands to try. */
export function summary(
  { mqttUrl, dynamoDbEndpoint, dataFolder }: Stack,
  ports: Ports,
  simulator: boolean,
): string {
  const service = (name: string, port: number, metricsPort: number) =>
    `  ${name.padEnd(10)} ${http(port)}/docs    metrics ${http(metricsPort)}/metrics`;
  return `
Engawa is running.

  console    ${http(ports.CONSOLE_PORT)}
  MQTT       ${mqttUrl}    topic engawa/<device>/readings
  DynamoDB   ${dynamoDbEndpoint}    data in ${relative(process.cwd(), dataFolder)}/
${service('ingestion', ports.INGESTION_PORT, ports.INGESTION_METRICS_PORT)}
${service('registry', ports.REGISTRY_PORT, ports.REGISTRY_METRICS_PORT)}
${service('query', ports.QUERY_PORT, ports.QUERY_METRICS_PORT)}
${service('catalog', ports.CATALOG_PORT, ports.CATALOG_METRICS_PORT)}

Try:

${commands(ports, simulator)
  .map((command) => `  ${command}`)
  .join('\n')}

or \`npm run catalog:load music\` for entities and a curl command per query.

Ctrl-C stops everything.
`;
}
