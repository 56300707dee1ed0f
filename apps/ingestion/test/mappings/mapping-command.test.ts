import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { compiledCode } from '@engawa/testing';

const folder = mkdtempSync(join(tmpdir(), 'mapping-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const script = join(import.meta.dirname, '../../src/mapping-command/main.ts');

/** `npm run mapping -- …` in its own process. */
async function run(args: string[], input = '') {
  const env = { PATH: process.env['PATH'], ...compiledCode() };
  const child = spawn(process.execPath, [script, ...args], { cwd: folder, env });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exited, stdout, stderr };
}

const mapping = `mapping: greenhouse
messages:
  - topic: greenhouse/{bed}/state
    device: greenhouse/{bed}
    time: { from: at, format: seconds }
    fields:
      - { from: soil.m, name: soilMoisture, unit: '%' }
examples:
  - topic: greenhouse/3/state
    payload: '{"at":1795817044,"soil":{"m":41},"pump":"off"}'
    readings:
      - device: greenhouse/3
        time: '2026-11-27T22:04:04.000Z'
        fields: { soilMoisture: 41, pump: 'off' }
`;

function write(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return name;
}

it('lists the mappings of brands', async () => {
  const { code, stdout } = await run(['list']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^victron {12}Venus OS/m);
});

it('shows a mapping as a file that it checks', async () => {
  const { stdout } = await run(['show', 'evcc']);
  expect(stdout).toMatch(/^mapping: evcc$/m);
  const checked = await run(['check', write('evcc.yaml', stdout)]);
  expect(checked).toEqual({
    code: 0,
    stdout: 'evcc is right, and so are its examples (4)\n',
    stderr: '',
  });
});

it('checks a file with its examples', async () => {
  const file = write('greenhouse.yaml', mapping);
  expect((await run(['check', file])).stdout).toContain('greenhouse is right');
  const wrong = write('wrong.yaml', mapping.replace('soilMoisture: 41', 'soilMoisture: 42'));
  const { code, stderr } = await run(['check', wrong]);
  expect(code).toBe(1);
  expect(stderr).toContain('mapping: the example of greenhouse/3/state becomes [{"device"');
});

it.each([
  ['- { from: soil.m', '- { form: soil.m', 7, 'messages[0].fields[0].form: Unrecognized key'],
  ['from: soil.m', 'from: soil..m', 7, 'messages[0].fields[0].from: "soil..m" is not a path'],
  ['format: seconds', 'format: days', 5, 'messages[0].time.format: Invalid option'],
  ['device: greenhouse/{bed}', 'device: "{row}"', 4, '{row} is not a level of the topic'],
  ['device: greenhouse/{bed}', 'device: [', 5, 'Flow sequence'],
  ['device: greenhouse/{bed}\n', 'device: a\n    device: b\n', 5, 'Map keys must be unique'],
])('names line and reason where %s is %s', async (right, wrong, line, reason) => {
  const { code, stderr } = await run(['check', write('wrong.yaml', mapping.replace(right, wrong))]);
  expect(code).toBe(1);
  expect(stderr).toContain('mapping: the mapping has errors');
  expect(stderr).toContain(`wrong.yaml:${line}: `);
  expect(stderr).toContain(reason);
});

it('names the line of JSON, too', async () => {
  const file = write('wrong.json', '{\n  "mapping": "a",\n  "messages": 3\n}');
  const { stderr } = await run(['check', file]);
  expect(stderr).toContain('wrong.json:3: messages: Invalid input');
});

it('refuses aliases that stand for far more than the file contains', async () => {
  const lines = Array.from({ length: 9 }, (_, n) => {
    const inner = n === 0 ? 'x' : `*a${n - 1}`;
    return `a${n}: &a${n} [${Array(9).fill(inner).join()}]\n`;
  });
  const { code, stderr } = await run(['check', write('bomb.yaml', lines.join(''))]);
  expect(code).toBe(1);
  expect(stderr).toContain('bomb.yaml:1: ');
});

it('tries a message, in a text or from the standard input', async () => {
  const file = write('greenhouse.yaml', mapping);
  const message = '{"at":1795817044,"soil":{"m":12345678901234567890}}';
  const shown = `{"device":"greenhouse/7","time":"2026-11-27T22:04:04.000Z","fields":{"soilMoisture":12345678901234567890}}\n`;
  const args = ['try', file, '--topic', 'greenhouse/7/state', '--payload'];
  const { stdout } = await run([...args, message]);
  expect(stdout).toBe(shown);
  expect((await run([...args, '-'], message)).stdout).toBe(stdout);
});

it.each([
  [['try', 'victron', '--topic', 'a/b', '--payload', '1'], 'no entry of the mapping has the topic'],
  [['try', 'victron', '--topic', 'a/b'], 'try needs --topic and --payload'],
  [['show', 'nothing'], 'there is no mapping nothing'],
  [['check', 'nothing.yaml'], 'nothing.yaml cannot be read: ENOENT'],
  [['translate'], 'there is no command translate'],
])('%j fails with a reason', async (args, reason) => {
  const { code, stdout, stderr } = await run(args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(reason);
});

it('shows why a message is refused', async () => {
  const args = ['try', 'victron', '--topic', 'N/p/battery/0/Soc', '--payload', '{'];
  const { code, stdout } = await run(args);
  expect(code).toBe(0);
  expect(stdout).toContain('refused (malformed): the payload is not JSON');
});
