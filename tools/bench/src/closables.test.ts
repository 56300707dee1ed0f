import { Closables } from './closables.ts';

function part(name: string, closed: string[]) {
  return {
    close: () => {
      closed.push(name);
      return Promise.resolve();
    },
  };
}

it('closes in reverse order, and each element once', async () => {
  const closed: string[] = [];
  const closables = new Closables();
  closables.add(part('engine', closed));
  closables.add(part('worker', closed));
  await closables.with(part('service', closed), () => Promise.resolve());
  expect(closed).toEqual(['service']);
  await closables.close();
  await closables.close();
  expect(closed).toEqual(['service', 'worker', 'engine']);
});

it('closes an element once if all are closed during its measurement', async () => {
  const closed: string[] = [];
  const closables = new Closables();
  await closables.with(part('service', closed), () => closables.close());
  expect(closed).toEqual(['service']);
});

it('closes the element of a failed measurement', async () => {
  const closed: string[] = [];
  const closables = new Closables();
  const failing = closables.with(part('service', closed), () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(closed).toEqual(['service']);
});

it('closes what is open if opening fails', async () => {
  const closed: string[] = [];
  const closables = new Closables();
  const opening = closables.opening(async () => {
    closables.add(part('engine', closed));
    await Promise.reject(new Error('no broker'));
  });
  await expect(opening).rejects.toThrow('no broker');
  expect(closed).toEqual(['engine']);
});
