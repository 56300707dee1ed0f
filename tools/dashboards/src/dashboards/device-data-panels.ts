import { BarAlignment, GraphDrawStyle } from '@grafana/grafana-foundation-sdk/common';
import { rowsTable } from '../http-panels.ts';
import { infinityTarget, queryApi } from '../infinity.ts';
import { linesWithLook } from '../panels.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import type { ResponseColumn } from '../response-rows.ts';
import type { HttpQuery } from '../infinity.ts';
import type { HttpPanelOptions } from '../http-panels.ts';

const device = '/v1/devices/${device:percentencode}';
const shownTime = { from: '${__from:date:iso}', to: '${__to:date:iso}', limit: '1000' };
const time: ResponseColumn = { name: 'time', type: 'timestamp', path: ['time'] };
const fieldOf = (name: string, ...rest: string[]): ResponseColumn => ({
  name,
  type: 'number',
  path: ['fields', '${field}', ...rest],
});

/** Aggregates of the chosen field over time. */
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
      title: '$field: min, average, max',
      description:
        'Minimum, average and maximum of the field in each bucket. A gap: no readings. Choose wider buckets for longer time ranges.',
      query: aggregates(['avg', 'max', 'min']),
      width: 24,
      height: 9,
    }),
    series({
      title: '$field: raw readings',
      description:
        'The newest 1,000 readings in the time range. Grafana rounds to 15 digits; the API returns all digits.',
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
        'Increase of a counter, such as a meter, in each bucket; a decrease counts as a reset to 0. Not meaningful for fields that rise and fall.',
      query: aggregates(['increase']),
      bars: true,
      width: 12,
    }),
    series({
      title: '$field: readings per bucket',
      description:
        'Readings of the field in each bucket. Good: the sending rate of the device. Fewer: the device was off or unreachable.',
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
      title: 'Device',
      description:
        'Id, name, kind and status of the device, and when it was last seen, accurate to an hour. Status pending: the device has to be approved.',
      query: {
        path: `${device}/latest`,
        parameters: { limit: '1' },
        rows: {
          list: 'device',
          columns: [
            ...['id', 'name', 'kind', 'status'].map((name): ResponseColumn => ({
              name,
              type: 'string',
              path: [name],
            })),
            { name: 'lastSeenAt', title: 'last seen', type: 'timestamp', path: ['lastSeenAt'] },
          ],
        },
      },
      width: 24,
      height: 4,
    }),
    rowsTable({
      title: 'Newest readings',
      description:
        'The last 20 readings as reported, regardless of the time range. Includes fields that are not numeric.',
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
