import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run, workspace } from './run.ts';
import { addTaskTime } from './task-times.ts';

/** What Nx writes to NX_PROFILE, in the trace event format of Chrome; durations in microseconds. */
interface TraceEvent {
  dur?: number;
  args: { status?: string; target?: { project: string; target: string } };
}

export const nxEnvironment = {
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  NX_NO_CLOUD: 'true',
  // Tests start hundreds of worker threads and processes: one with compiled code takes half of the CPU time.
  NODE_COMPILE_CACHE: join(workspace, 'node_modules/.cache/node'),
};

/**
 * Runs a target of every project that has it, or only of `projects`, and notes how long each task took.
 * @returns whether all tasks succeeded
 */
export function runNxTarget(target: string, projects: readonly string[]): boolean {
  // Nx takes the path relative to the workspace.
  const profile = join('node_modules/.cache', `nx-profile-${process.pid}-${target}.json`);
  const args = nxArguments(target, projects, process.env);
  const succeeded = run(target, 'nx', args, { ...nxEnvironment, NX_PROFILE: profile });
  noteTimes(join(workspace, profile));
  return succeeded;
}

/**
 * Nx keeps results in the home directory and replays them in a fresh clone of the same commit, where a test that fails
 * sometimes stays hidden; with CI set every task is really run.
 * @param env `CI` as continuous integration sets it
 */
export function nxArguments(
  target: string,
  projects: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const isCi = !['', '0', 'false'].includes(env['CI'] ?? '');
  return [
    'run-many',
    '-t',
    target,
    // One more than cores: tests wait as much as they compute.
    '--parallel=3',
    '--output-style=static',
    ...(isCi ? ['--skip-nx-cache'] : []),
    ...(projects.length > 0 ? ['--projects', projects.join(',')] : []),
  ];
}

function noteTimes(profile: string): void {
  for (const { dur, args } of readEvents(profile)) {
    if (dur === undefined || args.target === undefined) continue;
    const { project, target } = args.target;
    const isCached = args.status?.includes('cache') === true;
    addTaskTime({ project, target, durationMs: dur / 1000, isCached });
  }
}

/** None where Nx did not get as far as writing them. */
function readEvents(profile: string): TraceEvent[] {
  try {
    return JSON.parse(readFileSync(profile, 'utf8')) as TraceEvent[];
  } catch {
    return [];
  } finally {
    rmSync(profile, { force: true });
  }
}
