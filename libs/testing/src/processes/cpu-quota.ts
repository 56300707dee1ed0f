import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../running/until.ts';

/** Microseconds: the period of Kubernetes, and the kernel's default. */
const periodUs = 100_000;

/**
 * A control group whose processes together get a share of one CPU, as the CPU limit of a container
 * is enforced: cpu.max of cgroup v2 (kernel documentation, admin-guide/cgroup-v2), cpu.cfs_quota_us
 * of v1 (scheduler/sched-bwc).
 */
export class CpuQuota {
  readonly #folder: string;

  /**
   * @param share of one CPU: 0.25 equals a limit of `250m`
   * @throws Error with the reasons if no control group with a quota can be created
   */
  static create(share: number): CpuQuota {
    const reasons: string[] = [];
    for (const parent of parents()) {
      const folder = join(parent, `engawa-test-${randomUUID()}`);
      try {
        makeGroup(parent, folder, Math.round(share * periodUs));
        return new CpuQuota(folder);
      } catch (error) {
        reasons.push(error instanceof Error ? error.message : String(error));
        if (existsSync(folder)) rmdirSync(folder);
      }
    }
    throw new Error(reasons.join('; ') || 'no control groups with a cpu controller are mounted');
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** The command line that runs `command` within the quota from its first instruction. */
  commandLine(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
    const enter = 'echo $$ >"$0" && exec "$@"';
    return ['sh', '-c', enter, join(this.#folder, 'cgroup.procs'), ...command];
  }

  /** Number of periods in which the processes were stopped because the quota was used up. */
  get throttledPeriods(): number {
    const stat = readFileSync(join(this.#folder, 'cpu.stat'), 'utf8');
    return Number(/^nr_throttled (\d+)$/m.exec(stat)?.[1]);
  }

  /** Removes the group once its processes are gone. */
  async close(): Promise<void> {
    const isEmpty = () => readFileSync(join(this.#folder, 'cgroup.procs'), 'utf8') === '';
    await until('the end of the processes with a CPU quota', isEmpty);
    rmdirSync(this.#folder);
  }
}

/** `describe`, skipped with the reason on machines where CPU quotas cannot be set. */
export function describeWithCpuQuota(name: string, tests: () => void): void {
  const reason = whyUnavailable();
  if (reason === undefined) describe(name, tests);
  else
    describe.skip(`${name} (skipped: no CPU quota can be set on this machine: ${reason})`, tests);
}

function whyUnavailable(): string | undefined {
  try {
    void CpuQuota.create(1).close();
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** Parents of new groups: the group of this process, or the root of the mounted hierarchy. */
function parents(): string[] {
  const own = readLines('/proc/self/cgroup').map((line) => line.split(':'));
  return readLines('/proc/mounts').flatMap((line) => {
    const [, mountPoint = '', type, options = ''] = line.split(' ');
    const isV1 = type === 'cgroup' && options.split(',').includes('cpu');
    if (!isV1 && type !== 'cgroup2') return [];
    const controller = isV1 ? 'cpu' : '';
    const path = own.find(([, names = '']) => names.split(',').includes(controller))?.[2] ?? '/';
    return [...new Set([join(mountPoint, path), join(mountPoint, '/')])];
  });
}

function makeGroup(parent: string, folder: string, quotaUs: number): void {
  mkdirSync(folder);
  if (existsSync(join(folder, 'cpu.cfs_quota_us'))) {
    writeFileSync(join(folder, 'cpu.cfs_period_us'), String(periodUs));
    writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quotaUs));
    return;
  }
  if (!existsSync(join(folder, 'cpu.max'))) {
    writeFileSync(join(parent, 'cgroup.subtree_control'), '+cpu');
  }
  // Opened without creating it: without the controller the file does not exist.
  writeFileSync(join(folder, 'cpu.max'), `${quotaUs} ${periodUs}`, { flag: 'r+' });
}

function readLines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}
