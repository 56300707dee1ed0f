import { aDevice } from '@engawa/testing';
import { DeviceCache } from './device-cache.ts';

describe('DeviceCache', () => {
  let time = 0;
  let loads: string[] = [];
  const cache = () => {
    time = 0;
    loads = [];
    return new DeviceCache({
      load: (id) => {
        loads.push(id);
        return id === 'absent' ? Promise.reject(new Error('no')) : Promise.resolve(aDevice({ id }));
      },
      lifetimeMs: 5000,
      capacity: 2,
      now: () => time,
    });
  };

  it('loads a device once for all who ask at the same time, and for a while', async () => {
    const devices = cache();
    await Promise.all([devices.get('a'), devices.get('a')]);
    time = 4999;
    expect(await devices.get('a')).toMatchObject({ id: 'a' });
    expect(loads).toEqual(['a']);
    time = 5000;
    await devices.get('a');
    expect(loads).toEqual(['a', 'a']);
  });

  it('does not keep a load that failed', async () => {
    const devices = cache();
    await expect(devices.get('absent')).rejects.toThrow('no');
    await expect(devices.get('absent')).rejects.toThrow('no');
    expect(loads).toHaveLength(2);
  });

  it('loads again what it was told to forget', async () => {
    const devices = cache();
    await devices.get('a');
    devices.forget('a');
    await devices.get('a');
    expect(loads).toEqual(['a', 'a']);
  });

  it('forgets the one that was loaded first when there are too many', async () => {
    const devices = cache();
    await devices.get('a');
    await devices.get('b');
    time = 5000;
    await devices.get('a'); // now b is the oldest
    await devices.get('c');
    await devices.get('a');
    await devices.get('c');
    expect(loads).toEqual(['a', 'b', 'a', 'c']);
    time = 0;
    await devices.get('b');
    expect(loads).toHaveLength(5);
  });
});
