import { ChildService } from './child-service.ts';

const children: ChildService[] = [];

function runFixture(environment: NodeJS.ProcessEnv = {}): ChildService {
  const child = new ChildService('task-main.ts', environment);
  children.push(child);
  return child;
}

afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.end()));
});

it('a task closes in reverse order and ends with 0 once it is done', async () => {
  const { code, errors, messages } = await runFixture().exited();
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(messages.slice(-3)).toEqual(['second closed', 'first closed', 'closed']);
});

it('a task that fails ends with 1 and one fatal line', async () => {
  const child = runFixture({ BEHAVIOUR: 'refuse' });
  expect((await child.exited()).code).toBe(1);
  expect(child.lines.filter(({ level }) => level === 'fatal')).toHaveLength(1);
});

it('an interrupted task ends with 1 and closes its opened parts', async () => {
  const child = runFixture({ BEHAVIOUR: 'wait' });
  await child.line('waiting');
  child.kill('SIGTERM');
  const { code, messages } = await child.exited();
  expect(code).toBe(1);
  const last = 'the shutdown interrupted the command';
  expect(messages).toEqual(expect.arrayContaining(['interrupted', 'first closed', last]));
});
