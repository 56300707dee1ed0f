import { startServiceProcess as start } from '@engawa/embedded';
import type { ServiceProcess } from '@engawa/embedded';
import type { CpuQuota } from '@engawa/testing';

export type { ServiceProcess } from '@engawa/embedded';

/**
 * Runs a service as a process, as in production, and waits until it is ready.
 * @param more `quota` of the CPU that it may use, unlimited if absent; `checkout` with the service, this one if absent
 */
export function startServiceProcess(
  service: string,
  environment: Record<string, string>,
  { quota, checkout }: { quota?: CpuQuota | undefined; checkout?: string | undefined } = {},
): Promise<ServiceProcess> {
  return start({
    service,
    checkout,
    // The oracle sends many requests per second.
    environment: { RATE_LIMIT_PER_MINUTE: '0', ...environment },
    ...(quota && { wrap: (command) => quota.commandLine(command) }),
  });
}
