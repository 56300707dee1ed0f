import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const workspace = resolve(__dirname, '../../..');

/** Runs `npm start` as Node does on another operating system, with nothing of npm. */
function bootstrapOn(platform: string) {
  const pretend = `Object.defineProperty(process, 'platform', { value: '${platform}' });`;
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
  const args = ['--import', preload, 'tools/bootstrap.mjs', 'local', '--help'];
  return spawnSync(process.execPath, args, { cwd: workspace, encoding: 'utf8' });
}

it('says on Windows in one line what to do', () => {
  const { status, stderr } = bootstrapOn('win32');
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^engawa: Windows is supported through WSL only: run wsl --install, .*\n$/,
  );
});

it.each(['linux', 'darwin'])('starts on %s', (platform) => {
  const { status, stdout } = bootstrapOn(platform);
  expect(status).toBe(0);
  expect(stdout).toContain('npm start -- [options]');
});

it('has a command of POSIX shells in each npm script, which exec.cmd replaces on Windows', () => {
  const { scripts } = JSON.parse(readFileSync(resolve(workspace, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const script of Object.values(scripts)) {
    expect(script).toMatch(/^exec node tools\/bootstrap\.mjs /);
  }
  expect(readFileSync(resolve(workspace, 'exec.cmd'), 'utf8')).toMatch(/^@%\*$/m);
});
