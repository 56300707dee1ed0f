import { messageOf } from './message-of.ts';

it.each<[unknown, string]>([
  [new Error('no', { cause: new Error('because') }), 'no: because'],
  [
    new AggregateError([new Error('refused on ::1'), new Error('refused')]),
    'refused on ::1; refused',
  ],
  [new TypeError(), 'TypeError'],
  ['text', 'text'],
  [undefined, 'undefined'],
])('returns the message of %s', (error, message) => {
  expect(messageOf(error)).toBe(message);
});
