import { globSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const workspace = resolve(__dirname, '../../..');
const read = (file: string) => readFileSync(resolve(workspace, file), 'utf8');
const sources = globSync('{apps,libs}/*/src/**/*.ts', { cwd: workspace }).map(read).join('\n');
const pages = readdirSync(resolve(workspace, 'docs/runbooks')).map((name): [string, string] => [
  name,
  read(`docs/runbooks/${name}`),
]);

/** What is in backticks on a page. */
function quoted(page: string): string[] {
  return [...page.replaceAll(/```[^]*?```/g, '').matchAll(/`([^`]+)`/g)].map(([, text = '']) =>
    text.replaceAll(/\s+/g, ' '),
  );
}

it('name every reason of a dead letter', () => {
  const [, list = ''] = /deadLetterReasons = \[([^\]]+)\]/.exec(sources) ?? [];
  const reasons = [...list.matchAll(/'(\w+)'/g)].map(([, reason = '']) => reason);
  expect(reasons.length).toBeGreaterThan(5);
  const named = read('docs/runbooks/EngawaDeadLetters.md');
  expect(reasons.filter((reason) => !named.includes(`\`${reason}\``))).toEqual([]);
});

it('name every 5xx by its type', () => {
  const types = [...read('docs/reference/errors.md').matchAll(/`\/problems\/([\w-]+)` \| 5/g)];
  expect(types.length).toBeGreaterThan(3);
  const named = read('docs/runbooks/EngawaErrorBudgetFastBurn.md');
  expect(types.filter(([, type]) => !named.includes(`\`${type}\``))).toEqual([]);
});

describe.each(pages)('%s', (_, page) => {
  const commands = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, text = '']) => text).join('\n');

  it('names existing settings', () => {
    const settings = quoted(page).flatMap((text) => text.match(/^[A-Z]+(_[A-Z]+)+$/g) ?? []);
    const known = read('docs/reference/configuration.md');
    expect(settings.filter((name) => !known.includes(`\`${name}\``))).toEqual([]);
  });

  it('requests existing routes only', () => {
    const addresses = [...commands.matchAll(/127\.0\.0\.1:(\d+)(\/[\w/-]*)/g)];
    const unknown = addresses.filter(([, port, path = '']) =>
      port === '9464'
        ? !['/livez', '/readyz', '/metrics'].includes(path)
        : !sources.includes(`path: '${path.replace(/\/$/, '/{id}')}'`),
    );
    expect(unknown).toEqual([]);
  });

  it('requests forwarded ports only', () => {
    const lines = commands.split('\n');
    const forwarding = lines.filter((line) => line.includes('port-forward'));
    for (const line of forwarding) {
      expect(line).toMatch(
        /^kubectl -n \$NAMESPACE port-forward (pod\/\$POD|svc\/\$NAME-(\$COMPONENT|[a-z]+)) (8080|9464) & sleep 2$/,
      );
      const [port] = /\d{4}/.exec(line) ?? [];
      expect(lines[lines.indexOf(line) + 1]).toContain(`127.0.0.1:${port}/`);
    }
  });

  it('quotes lines of the log unchanged', () => {
    // What has three words or more and no sign of a command or a query.
    const lines = quoted(page).filter((text) => /^[a-z-]+( [a-z:-]+){3,}$/.test(text));
    expect(lines.filter((line) => !sources.includes(`'${line}'`))).toEqual([]);
  });
});
