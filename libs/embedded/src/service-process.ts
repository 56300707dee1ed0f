import { resolve } from 'node:path';
import { findFreePorts } from './free-ports.ts';
import { RunningProcess } from './running-process.ts';
import type { ProcessOptions } from './running-process.ts';

/** The root folder of the repository. */
export const workspace = resolve(import.meta.dirname, '../../..');

export interface ServiceProcessOptions {
  /** Its folder in `apps/`. */
  service: string;
  /** PORT and METRICS_PORT are free ports by default. */
  environment: NodeJS.ProcessEnv;
  nodeOptions?: readonly string[];
  stdio?: ProcessOptions['stdio'];
  /** The checkout that has the service; by default this one. */
  checkout?: string | undefined;
  /** The command line that runs this one, for example in a control group. */
  wrap?: (command: ProcessOptions['command']) => ProcessOptions['command'];
}

/** A service, run by Node from its source as in production. */
export class ServiceProcess extends RunningProcess {
  /** Of its API. */
  readonly url: string;
  /** Of its probes and metrics. */
  readonly metricsUrl: string;

  constructor(options: ServiceProcessOptions, [port, metricsPort]: readonly number[]) {
    const { service, nodeOptions = [], stdio = 'inherit', checkout = workspace } = options;
    const environment: NodeJS.ProcessEnv = {
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      ...options.environment,
    };
    const main = `apps/${service}/src/main.ts`;
    const line = [process.execPath, ...nodeOptions, main] as const;
    const command = options.wrap?.(line) ?? line;
    super({ name: service, command, cwd: checkout, environment, stdio });
    this.url = `http://127.0.0.1:${environment['PORT']}`;
    this.metricsUrl = `http://127.0.0.1:${environment['METRICS_PORT']}`;
  }

  ready(): Promise<void> {
    return this.untilReady({ url: `${this.metricsUrl}/readyz` });
  }
}

/** Starts a service on free ports without waiting until it is ready. */
export async function launchServiceProcess(
  options: ServiceProcessOptions,
): Promise<ServiceProcess> {
  return new ServiceProcess(options, await findFreePorts(2));
}

/** Starts a service on free ports and waits until it is ready. @throws Error with its last output if it ends first */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const service = await launchServiceProcess(options);
  try {
    await service.ready();
    return service;
  } catch (error) {
    await service.end('SIGKILL');
    throw error;
  }
}
