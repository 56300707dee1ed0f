import { fittingText, integerParameter, pageQuery, parsePosition } from '@engawa/http';
import { z } from 'zod';
import { showDevice } from '../schemas.ts';
import { fieldsQuery, searchedTimes, showField } from './field-schemas.ts';
import { allTimes, firstSeen, latestFields } from './fields-of-device.ts';
import type { ClientWork } from '@engawa/http';
import type { FieldsPageOptions } from './fields-page.ts';
import type { LatestField } from './fields-of-device.ts';
import type { RequestLimits } from '../visible-readings.ts';

/** More fields than most devices have, so that one page has all of them. */
const maxFields = 1000;

export const ownFieldsQuery = z.strictObject({
  ...fieldsQuery,
  limit: integerParameter({ minimum: 1, maximum: maxFields })
    .prefault(maxFields)
    .describe('Maximum number of fields; a page may have fewer although more follow.'),
  cursor: pageQuery.cursor.describe(
    'The `cursor` of the previous page, to get further fields; each page costs as much as the first one.',
  ),
});

interface OwnFieldsRequest {
  id: string;
  /** The context of its cursors. */
  request: string;
  query: z.output<typeof ownFieldsQuery>;
  limits: RequestLimits;
  work: ClientWork;
}

/** The content of a cursor: how far back to search, the last field of the page, and the last moment to search. */
const cursorPosition = z.tuple([z.int(), z.string(), z.int().optional()]);

/** The fields of a device by name, as many as fit a page. */
export async function ownFieldsPage(
  { readings, visible, cursors }: FieldsPageOptions,
  { id, request, query, limits, work }: OwnFieldsRequest,
) {
  const { cursor } = query;
  const given =
    cursor === undefined
      ? undefined
      : parsePosition(cursorPosition, cursors.decode(request, cursor));
  const [from, last, at] = given ?? firstPosition(query);
  const device = await visible.device(id, limits);
  const periods = await visible.ofDevice(id, allTimes, limits);
  const names = query.fields && new Set(query.fields);
  const [found, first] = await Promise.all([
    latestFields(readings, { periods, from, at, names, limits }),
    firstSeen(readings, periods, limits),
  ]);
  const rest = found.fields.filter(({ name }) => last === undefined || name > last);
  const shown = rest
    .slice(0, query.limit)
    .map((field) => showOwnField(field, first.get(field.name)));
  const { text, count } = await work.run(fittingText(shown, limits.budget.maxBytes));
  const end = count < rest.length ? rest[count - 1]?.name : undefined;
  return {
    device: showDevice(device),
    since: new Date(found.since),
    fields: text,
    cursor: end === undefined ? undefined : cursors.encode(request, positionAt(from, end, at)),
  };
}

function showOwnField(field: LatestField, firstSeenAt: number | undefined) {
  const shown = showField(field);
  return firstSeenAt === undefined ? shown : { ...shown, firstSeenAt: new Date(firstSeenAt) };
}

function firstPosition(query: OwnFieldsRequest['query']): [number, undefined, number | undefined] {
  const { from, at } = searchedTimes(query);
  return [from, undefined, at];
}

function positionAt(from: number, name: string, at: number | undefined): (number | string)[] {
  return at === undefined ? [from, name] : [from, name, at];
}
