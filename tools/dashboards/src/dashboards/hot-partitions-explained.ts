import { rowsTable } from '../http-panels.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import type { AnswerColumn } from '../answer-rows.ts';

const column = (title: string, name: string, more: Partial<AnswerColumn> = {}): AnswerColumn => ({
  ...{ name, title, type: 'string', path: [name] },
  ...more,
});

/** Of all processes together, as the query service adds them up. */
export function explained(): Panel {
  return rowsTable({
    title: 'Hot keys, explained',
    description:
      'Each hot key in words: what it is a key of, which services write it, over how many shards it is spread, since when it is hot, why, and what to do. Good: an empty list. It needs the Infinity data source with the address of the query service (docs/dashboards.md).',
    query: {
      path: '/v1/hot-partitions/merged',
      parameters: { hot: 'true', limit: '20' },
      rows: {
        list: 'partitions',
        columns: [
          column('key', 'partition'),
          column('what it is', 'description'),
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
    wide: { 'what it is': 220, reason: 260, advice: 480 },
    width: 24,
    height: 10,
  });
}
