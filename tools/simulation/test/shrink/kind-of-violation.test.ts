import { kindOfViolation } from '../../src/shrink/kind-of-violation.ts';

describe('the kind of a violation', () => {
  it.each([
    [
      'a reading is lost: device6 published 2026-01-01T12:00:01.101Z {"switch:1.power":315.9}',
      'a reading is lost: … published …',
    ],
    [
      'GET /v1/devices/anna-door/aggregates?from=1&to=2&every=PT1H 2025-12-31T07:00:00.000Z: {"a":1} instead of {"a":2}',
      'GET /v1/devices/…/aggregates …: …',
    ],
    [
      'a write of Draft/two with the former ETag "1" got {"id":"two"}; the current ETag is "x"',
      'a write of … with the former ETag … got …; the current ETag is …',
    ],
    [
      '/v1/rooms/bo-house/hall has version 3 instead of 2',
      '/v1/rooms/… has version … instead of …',
    ],
    [
      'Tally/x: total is 5; acknowledged 4, without a response',
      '…: total is …; acknowledged …, without a response',
    ],
  ])('of %s', (sentence, kind) => {
    expect(kindOfViolation(sentence)).toBe(kind);
  });

  it('differs by problem type, and not by title', () => {
    const refused = (type: string, title: string) =>
      kindOfViolation(
        `PUT /v1/devices/bo-lamp: 409 {"type":"https://x.org/problems/${type}","title":"${title}"}`,
      );
    expect(refused('being-deleted', 'one')).toBe(refused('being-deleted', 'other'));
    expect(refused('being-deleted', 'one')).not.toBe(refused('version-mismatch', 'one'));
  });
});
