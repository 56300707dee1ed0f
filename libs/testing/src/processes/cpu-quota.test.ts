import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CpuQuota, describeWithCpuQuota } from './cpu-quota.ts';
import { until } from '../running/until.ts';

describeWithCpuQuota('a CPU quota', () => {
  it('stops a process that exceeds it, and is removed with it', async () => {
    // So small that a busy machine gives it more.
    const quota = CpuQuota.create(0.02);
    const [command, ...args] = quota.commandLine([process.execPath, '-e', 'for (;;) {}']);
    const child = spawn(command, args, { stdio: 'ignore' });
    const gone = once(child, 'exit');
    await until('throttled periods', () => quota.throttledPeriods >= 3);
    child.kill('SIGKILL');
    await gone;
    await quota.close();
    expect(() => quota.throttledPeriods).toThrow('ENOENT');
  });
});
