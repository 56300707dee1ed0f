import { Parts } from './parts.ts';

function part(name: string, closed: string[]) {
  return {
    close: () => {
      closed.push(name);
      return Promise.resolve();
    },
  };
}

it('closes in reverse, and each part once', async () => {
  const closed: string[] = [];
  const parts = new Parts();
  parts.add(part('engine', closed));
  parts.add(part('worker', closed));
  await parts.with(part('service', closed), () => Promise.resolve());
  expect(closed).toEqual(['service']);
  await parts.close();
  await parts.close();
  expect(closed).toEqual(['service', 'worker', 'engine']);
});

it('closes a part once if all are closed during its measurement', async () => {
  const closed: string[] = [];
  const parts = new Parts();
  await parts.with(part('service', closed), () => parts.close());
  expect(closed).toEqual(['service']);
});

it('closes what a failed measurement was made with', async () => {
  const closed: string[] = [];
  const parts = new Parts();
  const failing = parts.with(part('service', closed), () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(closed).toEqual(['service']);
});
