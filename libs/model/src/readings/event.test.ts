import { eventOf } from './event.ts';

describe('the event in a reading', () => {
  it.each([
    [{ contact: 'open', battery: 97 }, { contact: 'open' }],
    [
      { action: 'single', contact: false },
      { action: 'single', contact: false },
    ],
    [{ button: 2 }, { button: 2 }],
    [{ 'input:2.action': 'single_push', 'input:2.id': 2 }, { 'input:2.action': 'single_push' }],
  ])('of %j is %j', (fields, event) => {
    expect(eventOf(fields)).toEqual(event);
  });

  it.each([
    [{ action: '' }],
    [{ contact: null, action: null }],
    [{ 'update.action': 'none', temperature: 20 }],
    [{}],
  ])('is none of %j', (fields) => {
    expect(eventOf(fields)).toBeUndefined();
  });
});
