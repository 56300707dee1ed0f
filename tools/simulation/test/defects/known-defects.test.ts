import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { knownDefects } from '../../src/defects/index.ts';
import { replaceText } from '../../src/defects/replace-text.ts';

const execute = promisify(execFile);
const workspace = join(__dirname, '../../../..');
const read = (file: string) => readFileSync(join(workspace, file), 'utf8');

// An import would return Jest's own module.
const { stripTypeScriptTypes } = process.getBuiltinModule('node:module');

/** Runs a file of this folder with plain Node. */
function run(file: string, ...words: string[]) {
  return execute(process.execPath, [join(__dirname, 'fixtures', file), ...words]);
}

describe.each(knownDefects)('the defect $name', ({ replacements, guardedBy }) => {
  const byFile = [...Map.groupBy(replacements, ({ file }) => file)];

  it.each(byFile)('is reintroduced by replacing text that occurs once in %s', (file, own) => {
    const source = read(file);
    const replaced = stripTypeScriptTypes(replaceText(source, own));
    expect(replaced).not.toBe(stripTypeScriptTypes(source));
  });

  if (guardedBy !== undefined) {
    it('names an existing test that guards it', () => {
      expect(read(guardedBy.file)).toContain(guardedBy.test);
    });
  }
});

it('no two defects have the same name', () => {
  expect(new Set(knownDefects.map(({ name }) => name)).size).toBe(knownDefects.length);
});

it('all defects are in modules that the services load', async () => {
  const { stdout } = await run('undo-all.ts');
  expect(stdout.trim().split('\n')).toEqual(knownDefects.map(({ name }) => name));
});

describe('an undone fix', () => {
  it('changes the text of the loaded module, not the file', async () => {
    const { stdout } = await run('undo-greeting.ts', 'greeting.ts', 'morning', 'night');
    expect(stdout).toBe('good night');
    expect((await run('undo-greeting.ts', 'greeting.ts', 'good', 'Good')).stdout).toBe(
      'Good morning',
    );
  });

  it.each([
    [
      'does not occur',
      'evening',
      'greeting.ts has the text to replace 0 times instead of once: evening',
    ],
    ['occurs more than once', 'o', 'times instead of once: o'],
  ])('throws when the text to replace %s', async (_, text, message) => {
    await expect(run('undo-greeting.ts', 'greeting.ts', text)).rejects.toThrow(message);
  });

  it('throws when its file was not loaded', async () => {
    const message = 'not loaded after the undo: undo-greeting.ts';
    await expect(run('undo-greeting.ts', 'undo-greeting.ts', 'a')).rejects.toThrow(message);
  });
});
