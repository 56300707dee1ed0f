import { selectorOf } from './response-rows.ts';
import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';
import type { DataSourceRef } from '@grafana/grafana-foundation-sdk/common';
import type { ResponseColumn, ResponseRows } from './response-rows.ts';

/** The data source for HTTP APIs. Its base URL is the query service, so URLs here are paths. */
export const infinityType = 'yesoreyeram-infinity-datasource';
export const queryApi: DataSourceRef = { type: infinityType, uid: '${queryApi}' };

/** A request to the query API, and the rows of its answer. */
export interface HttpQuery {
  /** May contain variables of the dashboard; variables in a path name their encoding. */
  path: string;
  parameters: Record<string, string>;
  rows: ResponseRows;
  /** Whether the answer is a page, which may have a cursor. */
  isPaged?: boolean;
}

/** A question to an API, with a JSONata expression that makes rows of its answer, and their columns. */
interface InfinityRequest {
  path: string;
  parameters: Record<string, string>;
  isPaged?: boolean;
  selector: string;
  columns: Pick<ResponseColumn, 'name' | 'type' | 'title'>[];
}

/**
 * Infinity follows at most five cursors. The path to the cursor is of GJSON, and gives an empty text
 * on the last page: Infinity reports a path without a result as an error.
 */
const cursors = {
  pagination_mode: 'cursor',
  pagination_max_pages: 5,
  pagination_param_cursor_field_name: 'cursor',
  pagination_param_cursor_field_type: 'query',
  pagination_param_cursor_extraction_path: '[cursor,!""].0',
};

/** As the Infinity data source has it (v3, its `backend` parser, which takes a JSONata expression). */
export function infinityQuestion(
  { path, parameters, isPaged = false, selector, columns }: InfinityRequest,
  refId = 'A',
) {
  return {
    refId,
    datasource: queryApi,
    type: 'json',
    parser: 'backend',
    source: 'url',
    format: 'table',
    url: path,
    url_options: {
      method: 'GET',
      data: '',
      params: Object.entries(parameters).map(([key, value]) => ({ key, value })),
    },
    ...(isPaged && cursors),
    root_selector: selector,
    columns: columns.map(({ name, type, title = name }) => ({ selector: name, text: title, type })),
    filters: [],
    computed_columns: [],
  };
}

/** What a panel asks for. */
export function infinityTarget({ rows, ...request }: HttpQuery): Builder<Dataquery> {
  const { columns } = rows;
  const question = infinityQuestion({ ...request, selector: selectorOf(rows), columns });
  return { build: () => ({ ...question, _implementsDataqueryVariant: () => undefined }) };
}
