import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'engawa-package-'));
afterAll(() => rmSync(folder, { recursive: true }));

const user = `
import { createClient, declareType, ProblemError } from '@engawa/client';
const Song = declareType({ name: 'Song', attributes: [{ name: 'title', kind: 'text' }] });
const answer = () => Promise.resolve(Response.json({ id: 'x', attributes: { title: 'Heroes' } }));
const client = createClient({ url: 'http://catalog', fetch: answer });
const song = await client.entities(Song).get('x');
process.stdout.write(song.attributes.title + ' ' + ProblemError.name);
`;

it('the built client is used by JavaScript that knows nothing of this workspace', () => {
  const built = join(folder, 'node_modules/@engawa/client');
  mkdirSync(built, { recursive: true });
  execFileSync(process.execPath, [join(__dirname, 'build-package.ts'), built]);
  writeFileSync(join(folder, 'user.mjs'), user);
  const printed = execFileSync(process.execPath, [join(folder, 'user.mjs')], { encoding: 'utf8' });
  expect(printed).toBe('Heroes ProblemError');
});
