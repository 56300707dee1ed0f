import { Progress } from './progress.ts';

describe('progress', () => {
  const second = 1000;
  let now = 0;
  let progress: Progress;
  const message = (topic: string) => ({ topic });
  beforeEach(() => {
    now = 5000 * second;
    progress = new Progress({ now: () => now, tableSaid: () => 'the table reports no error' });
  });

  it('is missing when the oldest message has been the oldest for two minutes', () => {
    const [first, second_] = [message('a'), message('b')];
    progress.received(first);
    now += 60 * second;
    progress.received(second_);
    now += 59 * second;
    progress.released(second_); // not the oldest
    expect(progress.missing()).toBeUndefined();
    now += 11 * second;
    expect(progress.missing()).toBe(
      'no progress for 130 s: the oldest of 1 unacknowledged messages, of topic "a", cannot be stored; the table reports no error',
    );
    progress.released(first);
    expect(progress.missing()).toBeUndefined();
  });

  it('includes a backlog older than two minutes whose oldest message changes', () => {
    const backlog = Array.from({ length: 10 }, (_, index) => message(`${index}`));
    for (const each of backlog) progress.received(each);
    for (const each of backlog) {
      now += 100 * second;
      expect(progress.missing()).toBeUndefined();
      progress.released(each);
    }
  });

  it('does not count the time without messages', () => {
    progress.received(message('a'));
    now += 500 * second;
    expect(progress.missing()).toContain('no progress for 500 s');
    const idle = new Progress({ now: () => now, tableSaid: () => '' });
    now += 500 * second;
    expect(idle.missing()).toBeUndefined();
    idle.received(message('b'));
    now += 119 * second;
    expect(idle.missing()).toBeUndefined();
  });
});
