import { rowsTable } from '../http-panels.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import type { ResponseColumn } from '../response-rows.ts';

const column = (
  title: string,
  name: string,
  more: Partial<ResponseColumn> = {},
): ResponseColumn => ({
  ...{ name, title, type: 'string', path: [name] },
  ...more,
});

/** Heat of all processes in total, from the query service. */
export function explained(): Panel {
  return rowsTable({
    title: 'Hot keys, explained',
    description:
      'Each hot key with its meaning, the services that write it, its shards, since when it is hot, the reason, and advice. Good: an empty list. Needs the Infinity data source with the address of the query service (docs/dashboards.md).',
    query: {
      path: '/v1/hot-partitions/merged',
      parameters: { hot: 'true', limit: '100' },
      rows: {
        list: 'partitions',
        columns: [
          column('key', 'partition'),
          column('contents', 'description'),
          column('written by', 'writtenBy'),
          column('index', 'index'),
          column('unit', 'unit'),
          column('shards', 'shards', { type: 'number' }),
          column('hot since', 'hotSince', { type: 'timestamp' }),
          column('reason', 'reason'),
          column('advice', 'advice', { isList: true }),
        ],
      },
    },
    wide: { key: 190, contents: 190, 'written by': 150, reason: 240, advice: 440 },
    width: 24,
    height: 13,
  });
}
