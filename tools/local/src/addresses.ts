import { isPortFree } from '@engawa/embedded';
import { OperatorError } from '@engawa/errors';

/** Every port of the one-machine stack, with the variable that changes it. */
export const defaultPorts = {
  CONSOLE_PORT: 4000,
  MQTT_PORT: 1883,
  DYNAMODB_PORT: 8000,
  INGESTION_PORT: 4001,
  REGISTRY_PORT: 4002,
  QUERY_PORT: 4003,
  CATALOG_PORT: 4004,
  CONSOLE_METRICS_PORT: 9400,
  INGESTION_METRICS_PORT: 9401,
  REGISTRY_METRICS_PORT: 9402,
  QUERY_METRICS_PORT: 9403,
  CATALOG_METRICS_PORT: 9404,
};

export type Ports = typeof defaultPorts;
export type PortVariable = keyof Ports;

/** @throws OperatorError for a value that is not a port */
export function readPorts(environment: NodeJS.ProcessEnv): Ports {
  const ports = { ...defaultPorts };
  for (const variable of Object.keys(defaultPorts) as PortVariable[]) {
    const given = environment[variable];
    if (given === undefined || given === '') continue;
    const port = Number(given);
    if (!/^\d+$/.test(given) || port < 1 || port > 65_535) {
      throw new OperatorError(`${variable} is "${given}"; it must be a port from 1 to 65535`);
    }
    ports[variable] = port;
  }
  return ports;
}

/**
 * Runs before anything is started.
 * @throws OperatorError that names every port in use, and variables that set the same port
 */
export async function checkPorts(ports: Ports, needed: readonly PortVariable[]): Promise<void> {
  const mistakes: string[] = [];
  for (const [port, variables] of Map.groupBy(needed, (variable) => ports[variable])) {
    const [variable] = variables;
    if (variables.length > 1) {
      mistakes.push(
        `${variables.join(' and ')} name the same port ${port}: set each to a port of its own`,
      );
    } else if (!(await isPortFree(port))) {
      mistakes.push(`port ${port} is in use: set ${variable} to another`);
    }
  }
  if (mistakes.length > 0) throw new OperatorError(mistakes.join('; '));
}
