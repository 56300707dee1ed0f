/** A column of a table that is made from an HTTP answer. */
export interface ResponseColumn {
  /** A word: Infinity takes it for a path. */
  name: string;
  /** The heading; the name by default. */
  title?: string;
  type: 'string' | 'number' | 'timestamp';
  /** Path from the row to the value; `*` is any property. */
  path: string[];
  /** A list of texts, joined by blanks. */
  isList?: boolean;
}

/** The list in a JSON answer, and the columns of its elements. */
export interface ResponseRows {
  /** The name of the list in the answer, or of an object that is the only row. */
  list: string;
  columns: ResponseColumn[];
}

/**
 * As a JSONata expression: variables are filled in there, but not in Infinity's columns. It may not
 * be a GJSON path, which Infinity tries first, and what comes of an empty list has to be a list, or
 * Infinity calls it an error. Texts of objects are their JSON.
 */
export function selectorOf({ list, columns }: ResponseRows): string {
  const pairs = columns.map(({ name, type, path, isList = false }) => {
    const value = path.map((step) => (/^(\w+|\*)$/.test(step) ? step : `\`${step}\``)).join('.');
    const text = isList ? `$join(${value}, " ")` : `$string(${value})`;
    return `"${name}": ${type === 'string' ? text : value}`;
  });
  return listOf(`$.${list}.{${pairs.join(', ')}}`);
}

/** A name in quotes, as the API takes it in a list (RFC 4180). Grafana's own formats escape quotes with backslashes. */
const quotedName = String.raw`$join(["\"", $replace($_name, "\"", "\"\""), "\""])`;

/** The property names of a list's elements, as the texts of a variable; its values have quotes. */
export function namesSelector(path: string): string {
  const row = `{"__text": $_name, "__value": ${quotedName}}`;
  return listOf(`$map($keys(${path}), function($_name) {${row}})`);
}

/** A list also for no element or a single one. */
function listOf(selector: string): string {
  return `$append([], ${selector})`;
}
