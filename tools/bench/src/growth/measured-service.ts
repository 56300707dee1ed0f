import { randomBytes } from 'node:crypto';
import { startServiceProcess } from '@engawa/embedded';
import { Metrics } from '@engawa/testing';
import { usageOf } from '../peers/process-usage.ts';
import type { ServiceProcess } from '@engawa/embedded';
import type { ProcessUsage } from '../peers/process-usage.ts';

/** Resources that a service has used since its start; its own CPU metric would not include the start. */
export interface ServiceUsage extends ProcessUsage {
  /** DynamoDB requests, including retries. */
  requests: number;
  readUnits: number;
  writeUnits: number;
}

const withoutLimits = {
  RATE_LIMIT_PER_MINUTE: '0',
  REQUEST_UNIT_LIMIT: '1000000000',
  REQUEST_DEADLINE_MS: '600000',
  MQTT_SUBSCRIBE: 'off',
  LOG_LEVEL: 'error',
};

export class MeasuredService {
  readonly #process: ServiceProcess;

  static async start(
    service: string,
    environment: Record<string, string>,
    nodeOptions: readonly string[],
  ): Promise<MeasuredService> {
    const secret = { CURSOR_SECRET: randomBytes(32).toString('hex') };
    return new MeasuredService(
      await startServiceProcess({
        service,
        environment: { ...withoutLimits, ...secret, ...environment },
        nodeOptions,
      }),
    );
  }

  private constructor(process: ServiceProcess) {
    this.#process = process;
  }

  get url(): string {
    return this.#process.url;
  }

  async usage(): Promise<ServiceUsage> {
    const metrics = await Metrics.of(this.#process.metricsUrl);
    const units = (unit: string) => metrics.sum('engawa_table_consumed_units_total', { unit });
    return {
      ...usageOf(this.#process.pid),
      requests: metrics.sum('engawa_table_attempts_total'),
      readUnits: units('read'),
      writeUnits: units('write'),
    };
  }

  close(): Promise<void> {
    return this.#process.close();
  }
}

/** The usage per request between two times; memory is the maximum until the later time. */
export function usagePerRequest(
  before: ServiceUsage,
  after: ServiceUsage,
  count: number,
): ServiceUsage {
  return {
    cpu: (after.cpu - before.cpu) / count,
    requests: (after.requests - before.requests) / count,
    readUnits: (after.readUnits - before.readUnits) / count,
    writeUnits: (after.writeUnits - before.writeUnits) / count,
    peakMemory: after.peakMemory,
  };
}
