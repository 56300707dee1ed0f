import { BarAlignment, GraphDrawStyle } from '@grafana/grafana-foundation-sdk/common';
import { rowsTable } from '../http-panels.ts';
import { infinityTarget, queryApi } from '../infinity.ts';
import { linesWithLook } from '../panels.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import type { ResponseColumn } from '../response-rows.ts';
import type { HttpQuery } from '../infinity.ts';
import type { HttpPanelOptions } from '../http-panels.ts';

const device = '/v1/devices/${device:percentencode}';
/** The time range and the time zone of the dashboard. */
const shownTime = {
  from: '${__from:date:iso}',
  to: '${__to:date:iso}',
  timeZone: '${__timezone}',
};
const time: ResponseColumn = { name: 'time', type: 'timestamp', path: ['time'] };
/** The answer has the chosen field only, whose name may have any character. */
const fieldOf = (fn: string): ResponseColumn => ({
  name: fn,
  type: 'number',
  path: ['fields', '*', fn],
});

/** The most that the API allows. */
const mostBuckets = '1000';

/** Buckets over the whole time range, whose number does not depend on its length. */
const chosenBuckets = { maxPoints: '${points}' };

/** Aggregates of the chosen field over the whole time range. */
function aggregates(fn: string[], buckets: Record<string, string> = chosenBuckets): HttpQuery {
  return {
    path: `${device}/aggregates`,
    parameters: { fn: fn.join(','), fields: '${field}', ...buckets, ...shownTime },
    isPaged: true,
    rows: {
      list: 'items',
      columns: [{ name: 'time', type: 'timestamp', path: ['from'] }, ...fn.map(fieldOf)],
    },
  };
}

export function overTime(): Panel[] {
  return [
    series({
      title: '$field: min, average, max',
      description:
        'Minimum, average and maximum of the field in each bucket. A gap: no readings. The width of the buckets follows from the time range and the variable Buckets.',
      query: aggregates(['avg', 'max', 'min']),
      width: 24,
      height: 9,
    }),
    series({
      title: '$field: last reading of each bucket',
      description:
        'The last reading in each of at most 1,000 buckets; with readings once a minute, every reading of 16 hours. Grafana rounds to 15 digits; the API returns all digits.',
      query: aggregates(['last'], { maxPoints: mostBuckets }),
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
      title: '$field: increase per day',
      description:
        'Increase of a counter on each day of the time zone of the dashboard. The first and the last day have only their part in the time range.',
      query: aggregates(['increase'], { every: 'P1D', limit: mostBuckets }),
      bars: true,
      width: 12,
    }),
    series({
      title: '$field: readings per bucket',
      description:
        'Readings of the field in each bucket. Good: the sending rate of the device. Fewer: the device was off or unreachable.',
      query: aggregates(['count']),
      bars: true,
      width: 12,
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

function series(options: HttpPanelOptions & { bars?: boolean }): Panel {
  const { query, bars = false } = options;
  const panel = linesWithLook(options)
    .unit('short')
    .datasource(queryApi)
    .targets([infinityTarget(query)]);
  if (bars) {
    panel.drawStyle(GraphDrawStyle.Bars).fillOpacity(60).barAlignment(BarAlignment.After).min(0);
  }
  return panel.build();
}
