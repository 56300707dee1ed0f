import {
  attributePartition,
  deviceListPartition,
  devicePartition,
  entityKey,
  entityPartition,
} from '@engawa/keys';
import { play } from './incidents.ts';
import type { Incident, Verdict } from './incidents.ts';
import type { Table } from '@engawa/table';

const noKey = { hot: [], advice: [] };
const gateway = devicePartition('gateway');
const list = deviceListPartition(0);
const leaderboard = attributePartition(0, 'Score', 'byPoints');
const counter = entityPartition({ type: 'Counter', id: 'orders' });
const many = 16;
const quietKey = (number: number) => devicePartition(`quiet ${number}`);

/** Writes one item after the other, as fast as the table takes them. */
const write = (pk: string) => (table: Table, count: number) => table.put({ pk, sk: String(count) });
/** Many keys, each with a small share of the load. */
const writeMany = (of: number) => (table: Table, count: number) =>
  table.put({ pk: quietKey((count * 4 + of) % many), sk: String(count) });
const all = [0, 1, 2, 3];
const busy = (pk: string) => all.map(() => write(pk));
const quiet = all.map(writeMany);
const register = (of: number) => (table: Table, count: number) => {
  const id = `${of}-${count}`;
  return table.put({ pk: devicePartition(id), sk: 'DEVICE', gsi1pk: list, gsi1sk: id });
};
const ranked = { gsi2pk: leaderboard, gsi2sk: '0001' };
const player = (number: number) => entityKey({ type: 'Score', id: `p${number}` });

const incidents: [string, Incident, Partial<Verdict>][] = [
  [
    '1. a gateway sends the readings of a building as one device',
    { loads: busy(gateway), culprit: `table write ${gateway}` },
    {
      hot: [`table write ${gateway}`],
      advice: ['batch-readings', 'shards-are-added'],
      hasInnocents: false,
    },
  ],
  [
    '2. all devices are registered in one list',
    { loads: all.map(register), culprit: `gsi1 write ${list}` },
    {
      hot: [`gsi1 write ${list}`],
      advice: ['writes-of-index', 'change-list-slowly', 'shards-are-added'],
      hasInnocents: false,
    },
  ],
  [
    '3. an index cannot keep up with registrations',
    { limits: { provisioned: { gsi1: { write: 4 } } }, loads: all.map(register) },
    { ...noKey, throttling: ['gsi1 table raise-index-capacity'] },
  ],
  [
    '4. scores change by updates that do not name the key of the leaderboard',
    {
      prepare: (table) => Promise.all(all.map((n) => table.update(player(n), { set: ranked }))),
      loads: all.map(
        (n) => (table: Table, count: number) =>
          table.update(player(n), { set: { gsi2sk: String(count).padStart(4, '0') } }),
      ),
      culprit: `gsi2 write ${leaderboard}`,
    },
    {
      hot: [`gsi2 write ${leaderboard}`],
      advice: ['writes-of-index', 'write-attributes-less', 'shards-are-added'],
      hasInnocents: false,
    },
  ],
  [
    '5. many keys are throttled beside a hot one',
    {
      limits: { sharedPartitions: [{ keys: ['DEVICE#*'] }] },
      loads: [...busy(gateway), ...busy(gateway), ...quiet],
      culprit: `table write ${gateway}`,
    },
    { hot: [`table write ${gateway}`], hasInnocents: true },
  ],
  [
    '6. a neighbour uses up the partition of a quiet key',
    {
      limits: { sharedPartitions: [{ keys: [gateway, quietKey(0)] }] },
      loads: [...busy(gateway), ...busy(gateway), write(quietKey(0))],
      culprit: `table write ${gateway}`,
    },
    { hot: [`table write ${gateway}`], hasInnocents: true },
  ],
  [
    '7. the load grows to more than twice the former peak',
    { limits: { formerPeak: { table: { write: 4 } } }, loads: quiet },
    { ...noKey, hasInnocents: true, throttling: ['table key_range see-hottest-partitions'] },
  ],
  [
    '8. the provisioned capacity is used up',
    { limits: { provisioned: { table: { write: 8 } } }, loads: quiet },
    { ...noKey, throttling: ['table table raise-table-capacity'] },
  ],
  [
    '9. the quota of the account is used up',
    { limits: { account: { table: { write: 8 } } }, loads: quiet },
    { ...noKey, throttling: ['table account raise-account-quota'] },
  ],
  [
    '10. the maximum that is set for the table is reached',
    { limits: { onDemandMaximum: { table: { write: 8 } } }, loads: quiet },
    { ...noKey, throttling: ['table on_demand_maximum raise-on-demand-maximum'] },
  ],
  [
    '11. transactions of many entities share a counter',
    {
      loads: all.map((of) => (table: Table, count: number) => {
        const order = { pk: entityPartition({ type: 'Order', id: `${of}-${count}` }), sk: 's' };
        return table.transact([{ put: order }, { put: { pk: counter, sk: 's', count } }]);
      }),
      culprit: `table write ${counter}`,
    },
    { hot: [`table write ${counter}`], advice: ['combine-entity-changes'] },
  ],
  [
    '12. one device is read more than its partition serves',
    {
      prepare: (table) => table.put({ pk: gateway, sk: 's', note: 'x'.repeat(7_000) }),
      loads: all.map(() => (table: Table) => table.query({ pk: gateway, consistent: true })),
      culprit: `table read ${gateway}`,
    },
    {
      hot: [`table read ${gateway}`],
      advice: ['request-device-less', 'replicas-read-same-partition'],
      hasInnocents: false,
    },
  ],
];

describe('an incident', () => {
  it.each(incidents)('%s', async (_, incident, expected) => {
    expect(await play(incident)).toMatchObject(expected);
  });
});
