import { aDevice } from '@engawa/testing';
import { ShortLivedCache } from './short-lived-cache.ts';

describe('ShortLivedCache', () => {
  let time = 0;
  let loads: string[] = [];
  const cache = () => {
    time = 0;
    loads = [];
    return new ShortLivedCache({
      load: (id) => {
        loads.push(id);
        return id === 'absent' ? Promise.reject(new Error('no')) : Promise.resolve(aDevice({ id }));
      },
      lifetimeMs: 5000,
      capacity: 2,
      now: () => time,
    });
  };

  it('loads a value once for all who ask at the same time, and for a while', async () => {
    const values = cache();
    await Promise.all([values.get('a'), values.get('a')]);
    time = 4999;
    expect(await values.get('a')).toMatchObject({ id: 'a' });
    expect(loads).toEqual(['a']);
    time = 5000;
    await values.get('a');
    expect(loads).toEqual(['a', 'a']);
  });

  it('does not keep a load that failed', async () => {
    const values = cache();
    await expect(values.get('absent')).rejects.toThrow('no');
    await expect(values.get('absent')).rejects.toThrow('no');
    expect(loads).toHaveLength(2);
  });

  it('loads again what it was told to forget', async () => {
    const values = cache();
    await values.get('a');
    values.forget('a');
    await values.get('a');
    expect(loads).toEqual(['a', 'a']);
  });

  it('forgets the one that was loaded first when there are too many', async () => {
    const values = cache();
    await values.get('a');
    await values.get('b');
    time = 5000;
    await values.get('a'); // now b is the oldest
    await values.get('c');
    await values.get('a');
    await values.get('c');
    expect(loads).toEqual(['a', 'b', 'a', 'c']);
    time = 0;
    await values.get('b');
    expect(loads).toHaveLength(5);
  });
});
