import { BarAlignment, GraphDrawStyle } from '@grafana/grafana-foundation-sdk/common';
import { rowsTable } from '../http-panels.ts';
import { infinityTarget, queryApi } from '../infinity.ts';
import { linesWithLook } from '../panels.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import type { AnswerColumn } from '../answer-rows.ts';
import type { HttpQuery } from '../infinity.ts';
import type { HttpPanelOptions } from '../http-panels.ts';

const device = '/v1/devices/${device:percentencode}';
const shownTime = { from: '${__from:date:iso}', to: '${__to:date:iso}', limit: '1000' };
const time: AnswerColumn = { name: 'time', type: 'timestamp', path: ['time'] };
const fieldOf = (name: string, ...rest: string[]): AnswerColumn => ({
  name,
  type: 'number',
  path: ['fields', '${field}', ...rest],
});

/** What is asked of the query API to draw the field over time. */
function aggregates(fn: string[]): HttpQuery {
  return {
    path: `${device}/aggregates`,
    parameters: { every: '${every}', fn: fn.join(','), fields: '${field}', ...shownTime },
    rows: {
      list: 'items',
      columns: [
        { name: 'time', type: 'timestamp', path: ['from'] },
        ...fn.map((name) => fieldOf(name, name)),
      ],
    },
  };
}

export function overTime(): Panel[] {
  return [
    series({
      title: '$field: lowest, average, highest',
      description:
        'What the field came to in each stretch of time. A gap: nothing was reported then. Choose wider stretches for longer times.',
      query: aggregates(['avg', 'max', 'min']),
      width: 24,
      height: 9,
    }),
    series({
      title: '$field: each reading',
      description:
        'The newest 1,000 readings of the time shown, one by one. Grafana rounds to 15 digits; the API has all of them.',
      query: {
        path: `${device}/readings`,
        parameters: { fields: '${field}', order: 'desc', ...shownTime },
        rows: { list: 'items', columns: [time, fieldOf('value')] },
      },
      sorted: true,
      width: 12,
    }),
    series({
      title: '$field: increase',
      description:
        'By how much a counter, such as that of a meter, went up in each stretch of time; where it fell, it is taken to have begun again at 0. Of no use for what goes up and down.',
      query: aggregates(['increase']),
      bars: true,
      width: 12,
    }),
    series({
      title: '$field: readings in each stretch',
      description:
        'How many readings there are of the field. Good: as many as the device sends. Fewer: it was off, or out of reach.',
      query: aggregates(['count']),
      bars: true,
      width: 24,
      height: 6,
    }),
  ];
}

export function inNumbers(): Panel[] {
  return [
    rowsTable({
      title: 'The device',
      description:
        'Who it is, and when it was last heard of, within an hour. Pending: somebody has to approve it.',
      query: {
        path: `${device}/latest`,
        parameters: { limit: '1' },
        rows: {
          list: 'device',
          columns: [
            ...['id', 'name', 'kind', 'status'].map((name): AnswerColumn => ({
              name,
              type: 'string',
              path: [name],
            })),
            { name: 'lastSeenAt', type: 'timestamp', path: ['lastSeenAt'] },
          ],
        },
      },
      width: 24,
      height: 4,
    }),
    rowsTable({
      title: 'Its newest readings',
      description:
        'The last 20 readings, whole and as they were reported, whatever time is shown above. Here is also what is not a number.',
      query: {
        path: `${device}/latest`,
        parameters: { limit: '20' },
        rows: {
          list: 'readings',
          columns: [time, { name: 'fields', type: 'string', path: ['fields'] }],
        },
      },
      width: 24,
      height: 10,
    }),
  ];
}

function series(options: HttpPanelOptions & { bars?: boolean; sorted?: boolean }): Panel {
  const { query, bars = false, sorted = false } = options;
  const panel = linesWithLook(options)
    .unit('short')
    .datasource(queryApi)
    .targets([infinityTarget(query)]);
  if (bars) {
    panel.drawStyle(GraphDrawStyle.Bars).fillOpacity(60).barAlignment(BarAlignment.After).min(0);
  }
  if (sorted) panel.withTransformation({ id: 'sortBy', options: { sort: [{ field: 'time' }] } });
  return panel.build();
}
