import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const generated = join(__dirname, '../../../../libs/client/src/generated');
const folder = mkdtempSync(join(tmpdir(), 'engawa-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('libs/client has the operations of the contracts (else: npm run reference)', () => {
  execFileSync(process.execPath, [join(__dirname, 'write-operations.ts'), folder]);
  const read = (from: string) =>
    Object.fromEntries(
      readdirSync(from).map((name) => [name, readFileSync(join(from, name), 'utf8')]),
    );
  expect(read(generated)).toEqual(read(folder));
});
