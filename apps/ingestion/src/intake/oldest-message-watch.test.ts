import { OldestMessageWatch } from './oldest-message-watch.ts';
import type { PendingMessage } from './oldest-message-watch.ts';

describe('the oldest message', () => {
  const second = 1000;
  let now = 0;
  let watch: OldestMessageWatch;
  const message = (topic: string): PendingMessage => ({
    topic,
    previous: undefined,
    next: undefined,
  });
  beforeEach(() => {
    now = 5000 * second;
    watch = new OldestMessageWatch({
      now: () => now,
      tableStatus: () => 'the table reports no error',
    });
  });

  it('is reported when it has been the oldest for two minutes', () => {
    const [first, second_] = [message('a'), message('b')];
    watch.received(first);
    now += 60 * second;
    watch.received(second_);
    now += 59 * second;
    watch.released(second_); // not the oldest
    expect(watch.blockedReason()).toBeUndefined();
    now += 11 * second;
    expect(watch.blockedReason()).toBe(
      'no progress for 130 s: the oldest of 1 unacknowledged messages, of topic "a", cannot be stored; the table reports no error',
    );
    watch.released(first);
    expect(watch.blockedReason()).toBeUndefined();
  });

  it('is not reported while it changes, even in a backlog older than two minutes', () => {
    const backlog = Array.from({ length: 10 }, (_, index) => message(`${index}`));
    for (const each of backlog) watch.received(each);
    for (const each of backlog) {
      now += 100 * second;
      expect(watch.blockedReason()).toBeUndefined();
      watch.released(each);
    }
  });

  it('is reported without the time before it was received', () => {
    watch.received(message('a'));
    now += 500 * second;
    expect(watch.blockedReason()).toContain('no progress for 500 s');
    const idle = new OldestMessageWatch({ now: () => now, tableStatus: () => '' });
    now += 500 * second;
    expect(idle.blockedReason()).toBeUndefined();
    idle.received(message('b'));
    now += 119 * second;
    expect(idle.blockedReason()).toBeUndefined();
  });
});
