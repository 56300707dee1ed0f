import { encodeEvent, encodeId, EventStreamParser } from '../src/event-stream.ts';

const stream =
  ': comment\r\nid: p:1\r\nevent: reading\r\ndata: {"a":\r\ndata: 1}\r\n\r\n\nevent: lost\ndata:{}\n\n';
const events = [
  { event: 'reading', id: 'p:1', data: '{"a":\n1}' },
  { event: 'lost', id: 'p:1', data: '{}' },
];

it('parses events, however the stream is split', () => {
  for (let at = 0; at <= stream.length; at += 1) {
    const parser = new EventStreamParser();
    expect([...parser.push(stream.slice(0, at)), ...parser.push(stream.slice(at))]).toEqual(events);
  }
});

it('keeps an id without data, which is not one of an event', () => {
  const parser = new EventStreamParser();
  expect(parser.push(`${encodeId('p:7')}id: p:8\n`)).toEqual([]);
  expect(parser.lastEventId).toBe('p:7');
  expect(parser.push('data: 1\n\n')).toEqual([{ event: 'message', id: 'p:8', data: '1' }]);
  expect(parser.lastEventId).toBe('p:8');
});

it('parses the events that it encodes', () => {
  const event = { event: 'reading', id: 'a=p:1,b=q:2', data: '{"device":"居間"}' };
  expect(new EventStreamParser().push(encodeEvent(event))).toEqual([event]);
});

it('rejects an event without an end', () => {
  const parser = new EventStreamParser();
  expect(() => parser.push('data: '.padEnd(1_000_007, 'x'))).toThrow(RangeError);
});
