import { relative } from 'node:path';
import type { Ports } from './addresses.ts';
import type { Stack } from './stack.ts';

const http = (port: number): string => `http://127.0.0.1:${port}`;

/** Questions that the simulated homes have answers to from the first readings on. */
export function questions(ports: Ports): string[] {
  const query = `${http(ports.QUERY_PORT)}/v1`;
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  const range = `from=${day(7).slice(0, 13)}:00Z&to=${day(6).slice(0, 13)}:00Z`;
  return [
    `${query}/devices/meter-tanaka/latest?limit=3`,
    `${query}/places/tanaka/aggregates?fields=power&fn=avg,max&every=PT1H&${range}`,
    `${http(ports.REGISTRY_PORT)}/v1/places/tanaka`,
  ];
}

/** Where everything is, and what to try. */
export function summary({ mqttUrl, dynamoDbEndpoint, dataFolder }: Stack, ports: Ports): string {
  const service = (name: string, port: number, metricsPort: number) =>
    `  ${name.padEnd(10)} ${http(port)}/docs    metrics ${http(metricsPort)}/metrics`;
  return `
Engawa runs.

  MQTT       ${mqttUrl}    topic engawa/<device>/readings
  DynamoDB   ${dynamoDbEndpoint}    data in ${relative(process.cwd(), dataFolder)}/
${service('ingestion', ports.INGESTION_PORT, ports.INGESTION_METRICS_PORT)}
${service('registry', ports.REGISTRY_PORT, ports.REGISTRY_METRICS_PORT)}
${service('query', ports.QUERY_PORT, ports.QUERY_METRICS_PORT)}
${service('catalog', ports.CATALOG_PORT, ports.CATALOG_METRICS_PORT)}

Try:

${questions(ports)
  .map((url) => `  curl '${url}'`)
  .join('\n')}

or \`npm run catalog:load music\` for entities of your own and what can be asked of them.

Ctrl-C ends all of it.
`;
}
