import { CursorCodec, cursorContext } from './cursor-codec.ts';
import { ListMoment } from './list-moment.ts';
import { pino } from 'pino';

const secret = 'a secret of more than thirty-two characters';
const codec = new CursorCodec({ secret, log: pino({ enabled: false }) });
const time = Date.parse('2026-11-29T12:00:00Z');

/** A list from `now` on, whose cursors are bound to what `now` was. */
function listAt(clock: number, cursor?: string) {
  const moment = new ListMoment(codec, cursor, () => clock);
  const from = moment.now();
  return { from, moment, context: cursorContext('list', { from }) };
}

const invalid: unknown = expect.objectContaining({ code: 'invalid-cursor' });

describe('the moment of a list', () => {
  it('is the time of its first page on all pages', () => {
    const first = listAt(time);
    const cursor = first.moment.encode(first.context, 'position');
    const second = listAt(time + 60_000, cursor);
    expect(second.from).toBe(time);
    expect(second.moment.decode(second.context, cursor)).toBe('position');
    const third = listAt(time + 120_000, second.moment.encode(second.context, 'further'));
    expect(third.from).toBe(time);
  });

  it('cannot be changed in a cursor', () => {
    const { moment, context } = listAt(time);
    const cursor = moment.encode(context, 'position');
    const [, encrypted = ''] = cursor.split('.');
    const forged = [(time + 1).toString(36), 'zzzzzzzzz', '0'].map((at) => `${at}.${encrypted}`);
    for (const changed of [...forged, encrypted, `${cursor}.`, `.${encrypted}`]) {
      const list = listAt(time + 1, changed);
      expect(() => list.moment.decode(list.context, changed)).toThrow(invalid as Error);
    }
  });

  it('is in no cursor of a list that does not use it', () => {
    const context = cursorContext('list', { from: 1 });
    const moment = new ListMoment(codec, undefined, () => time);
    const cursor = moment.encode(context, 'position');
    expect(cursor).toBe(codec.encode(context, 'position'));
    const carrying = `${time.toString(36)}.${cursor}`;
    const other = new ListMoment(codec, carrying, () => time);
    expect(() => other.decode(context, carrying)).toThrow(invalid as Error);
  });
});
