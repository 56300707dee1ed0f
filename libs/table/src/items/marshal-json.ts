import { Decimal } from '@engawa/model';
import { checkDepth, checkedName, checkedText, numberLiteral, unsupported } from './marshal.ts';

/**
 * `marshal` as the JSON of a request, without the values in between: a batch has thousands of them.
 * @throws ItemRejected as `marshal` does
 */
export function marshalJson(document: object): string {
  return mapJson(document, 0);
}

/** @param depth number of lists and maps around this one */
function mapJson(map: object, depth: number): string {
  const values = map as Readonly<Record<string, unknown>>;
  let json = '{';
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value === undefined) continue;
    const separator = json.length === 1 ? '' : ',';
    json += `${separator}${JSON.stringify(checkedName(name))}:${valueJson(value, depth)}`;
  }
  return `${json}}`;
}

function valueJson(value: unknown, depth: number): string {
  if (typeof value === 'string') return `{"S":${JSON.stringify(checkedText(value))}}`;
  if (typeof value === 'number') return `{"N":"${numberLiteral(value)}"}`;
  if (typeof value === 'boolean') return value ? '{"BOOL":true}' : '{"BOOL":false}';
  if (value === null) return '{"NULL":true}';
  if (value instanceof Decimal) return `{"N":"${value.digits}"}`;
  if (value instanceof Uint8Array) return `{"B":"${toBase64(value)}"}`;
  if (typeof value !== 'object') throw unsupported(value);
  checkDepth(depth);
  if (Array.isArray(value)) return `{"L":${listJson(value, depth + 1)}}`;
  return `{"M":${mapJson(value, depth + 1)}}`;
}

function listJson(list: readonly unknown[], depth: number): string {
  let json = '[';
  // Unlike `map`, this does not skip holes.
  for (const element of list) json += `${json.length === 1 ? '' : ','}${valueJson(element, depth)}`;
  return `${json}]`;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
