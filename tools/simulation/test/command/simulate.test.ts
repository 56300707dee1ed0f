import { simulate } from '../support/simulate.ts';

describe('npm run simulate', () => {
  it('finds nothing wrong, and plays a seed twice in the same way', async () => {
    const { code, text } = await simulate('--seeds', '2', '--days', '2', '--twice');
    expect(text).toContain('0 of 2 worlds went wrong');
    expect(text).toMatch(/[\d.]+ simulated days a second/);
    expect(text).toMatch(/[1-9]\d* faults, [1-9]\d* messages of devices, [1-9]\d* requests/);
    expect(code).toBe(0);
  });

  it('tells of what is wrong, with its story and how to play it again', async () => {
    const { code, text } = await simulate(
      ...['--seeds', '1', '--days', '4', '--undo', 'shelly-channels-in-one-field'],
    );
    expect(text).toMatch(/^WRONG /m);
    expect(text).toContain(
      'npm run simulate -- --first 1 --seeds 1 --days 4 --undo shelly-channels-in-one-field',
    );
    expect(code).toBe(1);
  });

  it('shrinks what is wrong to a short story, which its plan plays again', async () => {
    const undo = ['--undo', 'stale-etag-catalog'];
    const seed = ['--first', '1', '--seeds', '1', '--days', '4'];
    const { code, text } = await simulate(...seed, '--shrink', ...undo);
    const [, shortest = ''] = text.split('the shortest story after ');
    expect(code).toBe(1);
    expect(text.split('\n').length).toBeGreaterThan(100);
    expect(shortest.split('\n').length).toBeLessThan(40);
    const plan = /--plan '(.+)'/.exec(shortest)?.[1] ?? '';

    const again = await simulate('--plan', plan, '--story', ...undo);
    const wrong = /^WRONG .+$/m.exec(shortest)?.[0] ?? 'nothing is wrong';
    expect(again.text).toContain(wrong);
    expect((await simulate('--plan', plan)).text).toContain('0 of 1 worlds went wrong');
  });

  it.each([
    ['--seeds', 'x'],
    ['--plan', '{"seed":1}'],
    ['--plan', 'no such file'],
    ['--undo', 'nothing'],
    ['--fast'],
  ])('says in a line what is wrong with %s %s', async (...args) => {
    const { code, text } = await simulate(...args);
    expect(text).toMatch(/^simulate: .+\n$/);
    expect(code).toBe(1);
  });
});
