import { kindOfWrong } from '../../src/shrink/kind-of-wrong.ts';

describe('the kind of a violation', () => {
  it.each([
    [
      'a reading is lost: device6 published 2026-01-01T12:00:01.101Z {"switch:1.power":315.9}',
      'a reading is lost: … published …',
    ],
    [
      'GET /v1/devices/anna-door/aggregates?from=1&to=2&every=PT1H 2025-12-31T07:00:00.000Z: {"a":1} in place of {"a":2}',
      'GET /v1/devices/…/aggregates …: …',
    ],
    [
      'a write of Draft/two that expects the former "1" has the answer {"id":"two"}; it is "x"',
      'a write of … that expects the former … has the answer …; it is …',
    ],
    [
      '/v1/rooms/bo-house/hall has version 3 in place of 2',
      '/v1/rooms/… has version … in place of …',
    ],
    [
      'Tally/x: total is 5; acknowledged 4, without an answer',
      '…: total is …; acknowledged …, without an answer',
    ],
  ])('of %s', (sentence, kind) => {
    expect(kindOfWrong(sentence)).toBe(kind);
  });

  it('differs by problem type, and not by title', () => {
    const refused = (type: string, title: string) =>
      kindOfWrong(
        `PUT /v1/devices/bo-lamp: 409 {"type":"https://x.org/problems/${type}","title":"${title}"}`,
      );
    expect(refused('being-deleted', 'one')).toBe(refused('being-deleted', 'other'));
    expect(refused('being-deleted', 'one')).not.toBe(refused('version-mismatch', 'one'));
  });
});
