import { isClockAhead, isSilent, mainField, sortedFields, withReading } from './model.ts';
import { learnUnit, unitOf } from './units.ts';
import type { DeviceState } from './model.ts';

const field = (value: number | string, time = '2026-01-01T00:00:00.000Z') => ({ value, time });
const climate: DeviceState = {
  id: 'a',
  name: 'A',
  kind: 'climate',
  fields: { battery: field(80), temperature: { ...field(20), unit: '°C' }, zeta: field(1) },
};

it('sorts fields by interest, and draws the first numeric one', () => {
  expect(sortedFields(climate.fields).map(([name]) => name)).toEqual([
    'temperature',
    'zeta',
    'battery',
  ]);
  expect(mainField(climate.fields)).toBe('temperature');
  expect(mainField({ energyImport: field(1), battery: field(1), contact: field('open') })).toBe(
    undefined,
  );
});

it('takes newer values, keeps units, and ignores older values', () => {
  const newer = withReading(climate, {
    time: '2026-01-02T00:00:00.000Z',
    fields: { temperature: 21 },
  });
  expect(newer.fields.temperature).toEqual({
    value: 21,
    unit: '°C',
    time: '2026-01-02T00:00:00.000Z',
  });
  expect(newer.heardAt).toBe('2026-01-02T00:00:00.000Z');
  const older = withReading(newer, {
    time: '2026-01-01T12:00:00.000Z',
    fields: { temperature: 5 },
  });
  expect(older.fields.temperature?.value).toBe(21);
  expect(older.heardAt).toBe('2026-01-02T00:00:00.000Z');
});

it('replaces a value that was ahead when it came by one that comes later', () => {
  const now = Date.parse('2026-01-02T00:00:00.000Z');
  const read = (device: DeviceState, minutes: number, aheadMinutes: number) => {
    const at = now + minutes * 60_000;
    const time = new Date(at + aheadMinutes * 60_000).toISOString();
    return withReading(device, { time, fields: { temperature: minutes } }, at);
  };
  const door: DeviceState = { ...climate, kind: 'contact', fields: {} };
  const states = [
    [0, 480],
    [1, 480],
    [2, 0],
    [3, 240],
    // Sent a moment ago.
    [4, -1.5],
    // Of yesterday.
    [5, -1440],
  ].reduce(
    (all, [minutes = 0, ahead = 0]) => [...all, read(all.at(-1) ?? door, minutes, ahead)],
    [door],
  );
  expect(states.slice(1).map(({ fields }) => fields.temperature?.value)).toEqual([
    0, 1, 2, 3, 4, 4,
  ]);
  expect(states[3]?.lastEvent).toEqual({ temperature: 2 });
  expect(states[4]?.heardAt).toBe(new Date(now + 3 * 60_000).toISOString());
});

it('forgets no unit', () => {
  for (const unit of [undefined, 'm/s', undefined]) learnUnit('wind', unit);
  expect(unitOf('wind')).toBe('m/s');
});

it('takes the last event of a door from its readings', () => {
  const door: DeviceState = { ...climate, kind: 'contact', fields: {} };
  const opened = withReading(door, {
    time: '2026-01-02T00:00:00.000Z',
    fields: { contact: 'open' },
  });
  expect(opened).toMatchObject({ lastEvent: { contact: 'open' }, lastEventAt: opened.heardAt });
});

it('counts a sensor as silent after hours, and a door after days', () => {
  const now = Date.parse('2026-01-02T00:00:00.000Z');
  const heardAt = '2026-01-01T00:00:00.000Z';
  expect(isSilent({ kind: 'climate', heardAt }, now)).toBe(true);
  expect(isSilent({ kind: 'contact', heardAt }, now)).toBe(false);
});

it('knows a clock that is ahead until the device sends readings that are not', () => {
  const clockAhead = { readings: 2, seconds: 28_800, at: '2026-01-01T10:00:00.000Z' };
  expect(isClockAhead({ clockAhead, lastSeenAt: '2026-01-01T11:00:00.000Z' })).toBe(true);
  expect(isClockAhead({ clockAhead, lastSeenAt: '2026-01-01T13:00:00.000Z' })).toBe(false);
  expect(isClockAhead({ lastSeenAt: '2026-01-01T11:00:00.000Z' })).toBe(false);
});
