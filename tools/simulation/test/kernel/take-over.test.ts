import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

describe('a world that has taken a process over', () => {
  let told: Record<string, string[]>;
  beforeAll(async () => {
    const child = join(__dirname, 'world-child.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [child]);
    told = JSON.parse(stdout) as Record<string, string[]>;
  });

  it('carries requests between processes, each with a clock of its own', () => {
    expect(told['answers']).toEqual([
      'asked /one',
      expect.stringMatching(/^\/one 2026-01-01T00:00:06.00\dZ at 100\d$/),
    ]);
  });

  it('shows the end of a process to those that it was connected with, and refuses new connections', () => {
    expect(told['a server that is killed']).toEqual([
      'asked /one',
      expect.stringMatching(/^\/one (socket hang up|read ECONNRESET) at 50\d$/),
      expect.stringMatching(/^\/two connect ECONNREFUSED .* at 500\d$/),
    ]);
  });

  it('lets happen after a pause what was due in it', () => {
    expect(told['a server that pauses']).toEqual([
      'asked /one',
      expect.stringMatching(/^\/one 2026-01-01T00:00:08.50\dZ at 350\d$/),
    ]);
  });

  it('cuts connections, and silences them', () => {
    expect(told['a connection that is cut']).toEqual([
      'asked /one',
      expect.stringMatching(/^\/one (socket hang up|read ECONNRESET) at 50\d$/),
    ]);
    expect(told['a connection that is silent']).toEqual(['asked /one']);
  });

  it('takes time and chance from the seed', () => {
    expect(told['chance']).toEqual([
      'b8097413-c37b-4c29-838d-3115b67acbe1',
      expect.any(String),
      'waited until 70000',
    ]);
  });
});
