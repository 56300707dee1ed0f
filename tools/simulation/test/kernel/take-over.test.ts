import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

describe('a world that controls a process', () => {
  let told: Record<string, string[]>;
  beforeAll(async () => {
    const child = join(__dirname, 'world-child.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [child]);
    told = JSON.parse(stdout) as Record<string, string[]>;
  });

  it('carries requests between processes, each with its own clock', () => {
    expect(told['answers']).toEqual([
      'asked /one',
      expect.stringMatching(/^\/one 2026-01-01T00:00:06.00\dZ at 100\d$/),
    ]);
  });

  it('resets connections of a killed process, and refuses new ones', () => {
    expect(told['a server that is killed']).toEqual([
      'asked /one',
      expect.stringMatching(/^\/one (socket hang up|read ECONNRESET) at 50\d$/),
      expect.stringMatching(/^\/two connect ECONNREFUSED .* at 500\d$/),
    ]);
  });

  it('runs events that were due during a pause after it', () => {
    expect(told['a server that pauses']).toEqual([
      'asked /one',
      expect.stringMatching(/^\/one 2026-01-01T00:00:08.50\dZ at 350\d$/),
    ]);
  });

  it('cuts and silences connections', () => {
    expect(told['a connection that is cut']).toEqual([
      'asked /one',
      expect.stringMatching(/^\/one (socket hang up|read ECONNRESET) at 50\d$/),
    ]);
    expect(told['a connection that is silent']).toEqual(['asked /one']);
  });

  it('derives time and random numbers from the seed', () => {
    expect(told['chance']).toEqual([
      'b8097413-c37b-4c29-838d-3115b67acbe1',
      expect.any(String),
      'waited until 70000',
    ]);
  });
});
