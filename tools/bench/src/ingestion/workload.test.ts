import { itemsOf, messageOf } from '../workload.ts';
import type { Workload } from '../workload.ts';

const workload: Workload = {
  topic: 'engawa',
  prefix: 'bench',
  devices: 2,
  readings: 1,
  start: Date.UTC(2026, 10, 20),
  step: 1000,
};

it('rotates over devices, one step further in time per round', () => {
  const messages = [0, 1, 2].map((number) => messageOf(workload, number));
  expect(messages.map(({ topic }) => topic)).toEqual([
    'engawa/bench-00000/readings',
    'engawa/bench-00001/readings',
    'engawa/bench-00000/readings',
  ]);
  expect(messages.map(({ payload }) => (JSON.parse(payload) as { ts: string }).ts)).toEqual([
    '2026-11-20T00:00:00.000Z',
    '2026-11-20T00:00:00.000Z',
    '2026-11-20T00:00:01.000Z',
  ]);
});

it('advances in time by all readings of an array', () => {
  const { payload } = messageOf({ ...workload, readings: 3 }, 2);
  expect((JSON.parse(payload) as { ts: string }[]).map(({ ts }) => ts.slice(17, 19))).toEqual([
    '03',
    '04',
    '05',
  ]);
});

it('creates the block of messages that share it', () => {
  const [item = {}] = itemsOf(workload, 1, 3) as Record<string, { L?: object[]; M?: object }>[];
  expect(Object.keys(item)).toEqual(['pk', 'sk', 'offsets', 'fields']);
  expect(item['offsets']?.L).toEqual([{ N: '2000' }, { N: '1000' }, { N: '0' }]);
  expect(Object.keys(item['fields']?.M ?? {})).toEqual(['humidity', 'temperature']);
});
