import { simulate } from '../support/simulate.ts';

describe('npm run simulate', () => {
  it('finds no violation, and repeats a seed with the same trace', async () => {
    const { code, text } = await simulate('--seeds', '2', '--days', '2', '--twice');
    expect(text).toContain('0 of 2 worlds failed');
    expect(text).toMatch(/[\d.]+ simulated days a second/);
    expect(text).toMatch(/[1-9]\d* faults, [1-9]\d* messages of devices, [1-9]\d* requests/);
    expect(code).toBe(0);
  });

  it('prints violations with their story and the command that repeats them', async () => {
    const { code, text } = await simulate(
      ...['--seeds', '1', '--days', '4', '--undo', 'shelly-channels-in-one-field'],
    );
    expect(text).toMatch(/^WRONG /m);
    expect(text).toContain(
      'npm run simulate -- --first 1 --seeds 1 --days 4 --undo shelly-channels-in-one-field',
    );
    expect(code).toBe(1);
  });

  it('shrinks a violation to a short story that its plan repeats', async () => {
    const undo = ['--undo', 'stale-etag-catalog'];
    const seed = ['--first', '20', '--seeds', '1', '--days', '4'];
    const { code, text } = await simulate(...seed, '--shrink', ...undo);
    const [, shortest = ''] = text.split('the smallest failing run after ');
    expect(code).toBe(1);
    expect(text.split('\n').length).toBeGreaterThan(100);
    expect(shortest.split('\n').length).toBeLessThan(40);
    const plan = /--plan '(.+)'/.exec(shortest)?.[1] ?? '';

    const again = await simulate('--plan', plan, '--story', ...undo);
    const wrong = /^WRONG .+$/m.exec(shortest)?.[0] ?? 'no violation';
    expect(again.text).toContain(wrong);
    expect((await simulate('--plan', plan)).text).toContain('0 of 1 worlds failed');
  });

  it.each([
    ['--seeds', 'x'],
    ['--plan', '{"seed":1}'],
    ['--plan', 'no such file'],
    ['--undo', 'nothing'],
    ['--fast'],
  ])('rejects %s %s in one line', async (...args) => {
    const { code, text } = await simulate(...args);
    expect(text).toMatch(/^simulate: .+\n$/);
    expect(code).toBe(1);
  });
});
