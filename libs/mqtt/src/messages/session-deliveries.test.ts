import { SessionDeliveries } from './session-deliveries.ts';
import { RedeliverableMessage } from './redeliverable-message.ts';

function start() {
  const deliveries = new SessionDeliveries(2);
  deliveries.connected(false);
  const payload = (id: number) => Buffer.from(`${id}`);
  const add = (id: number) => {
    const message = new RedeliverableMessage('t', payload(id));
    deliveries.add(id, message);
    return message;
  };
  const redelivered = (id: number) => deliveries.redelivered(id, 't', payload(id));
  return { deliveries, add, redelivered };
}

it('forgets the oldest messages beyond those that may be in flight, once they are durable', () => {
  const { deliveries, add, redelivered } = start();
  const [first, second] = [add(1), add(2)];
  add(3);
  second.markDurable();
  expect(deliveries.size).toBe(3);
  first.markDurable();
  expect(deliveries.size).toBe(2);
  expect(redelivered(1)).toBeUndefined();
  expect(redelivered(2)).toBe(second);
});

it('takes a redelivered message for the newest', () => {
  const { deliveries, add, redelivered } = start();
  const [first, second] = [add(1), add(2)];
  first.markDurable();
  second.markDurable();
  deliveries.connected(true);
  expect(redelivered(1)).toBe(first);
  add(3);
  expect(redelivered(1)).toBe(first);
  expect(redelivered(2)).toBeUndefined();
});
