import { aDevice } from '@engawa/testing';
import { ShortLivedCache } from './short-lived-cache.ts';

describe('ShortLivedCache', () => {
  let time = 0;
  let loads: string[] = [];
  const budget = { charge: () => undefined };
  const cache = () => {
    time = 1000;
    loads = [];
    return new ShortLivedCache({
      load: (id, { charge }) => {
        loads.push(id);
        charge(1);
        return id === 'absent' ? Promise.reject(new Error('no')) : Promise.resolve(aDevice({ id }));
      },
      lifetimeMs: 5000,
      maxEntries: 2,
      now: () => time,
    });
  };

  it('loads a value once for concurrent requests and for its lifetime', async () => {
    const values = cache();
    await Promise.all([values.get('a', budget), values.get('a', budget)]);
    time += 4999;
    expect(await values.get('a', budget)).toMatchObject({ id: 'a' });
    expect(loads).toEqual(['a']);
    time += 2;
    await values.get('a', budget);
    expect(loads).toEqual(['a', 'a']);
  });

  it('charges a load to the request that begins it', async () => {
    const values = cache();
    const charged: string[] = [];
    const budgetOf = (name: string) => ({ charge: () => void charged.push(name) });
    await Promise.all([values.get('a', budgetOf('first')), values.get('a', budgetOf('second'))]);
    await values.get('a', budgetOf('third'));
    expect(charged).toEqual(['first']);
  });

  it('does not cache a failed load', async () => {
    const values = cache();
    await expect(values.get('absent', budget)).rejects.toThrow('no');
    await expect(values.get('absent', budget)).rejects.toThrow('no');
    expect(loads).toHaveLength(2);
  });

  it('loads a forgotten value again', async () => {
    const values = cache();
    await values.get('a', budget);
    values.forget('a');
    await values.get('a', budget);
    expect(loads).toEqual(['a', 'a']);
  });

  it('evicts the least recently used value above the maximum', async () => {
    const values = cache();
    await values.get('a', budget);
    await values.get('b', budget);
    await values.get('a', budget);
    await values.get('c', budget);
    await values.get('a', budget);
    expect(loads).toEqual(['a', 'b', 'c']);
    await values.get('b', budget);
    expect(loads).toEqual(['a', 'b', 'c', 'b']);
  });
});
