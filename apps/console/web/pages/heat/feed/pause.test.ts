import { untilAborted } from './pause.ts';

describe('untilAborted', () => {
  it('leaves no listener at the signal, however often it waits', async () => {
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, 'addEventListener');
    const removed = jest.spyOn(signal, 'removeEventListener');
    let ended = 0;
    for (let turn = 0; turn < 100; turn += 1) {
      await untilAborted(signal, (resolve) => {
        setTimeout(resolve);
        return () => (ended += 1);
      });
    }
    expect(ended).toBe(100);
    expect(added).toHaveBeenCalledTimes(100);
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });

  it('ends when the signal aborts', async () => {
    const closing = new AbortController();
    let isEnded = false;
    const waits = untilAborted(closing.signal, () => () => (isEnded = true));
    closing.abort();
    await waits;
    expect(isEnded).toBe(true);
    await untilAborted(closing.signal, () => () => undefined);
  });
});
