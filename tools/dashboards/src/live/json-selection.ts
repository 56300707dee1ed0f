export type SelectedRow = Record<string, unknown>;

const form = /^\$append\(\[\], \$\.(?<list>[\w.]+)\.\{(?<body>.*)\}\)$/;
const namesForm =
  /^\$append\(\[\], \$map\(\$keys\((?<path>[\w.]+)\), function\(\$_name\) \{(?<row>.*)\}\)\)$/;
const namesRow = String.raw`{"__text": $_name, "__value": $join(["\"", $replace($_name, "\"", "\"\""), "\""])}`;
const pairs = /"(?<name>[^"]+)":\s*(?<value>\$(?:string|join)\([^)]*\)|[^,}]+)/g;

/**
 * What a selector of ours picks from an answer. The selectors are JSONata, and these few forms of
 * it are all that they use: `$.list.{"column": a.*.b, "text": $string(c), "texts": $join(d, " ")}`
 * and `$map($keys(a.b), function($_name) {…})` with quoted names, in `$append([], …)`.
 * @throws Error for any other form
 */
export function selectRows(answer: unknown, selector: string): SelectedRow[] {
  const names = namesForm.exec(selector)?.groups;
  if (names?.['row'] === namesRow) {
    return keysOfAll(valuesAt(answer, names['path'] ?? '')).map((name) => ({
      __text: name,
      __value: `"${name.replaceAll('"', '""')}"`,
    }));
  }
  const groups = form.exec(selector)?.groups;
  if (groups === undefined) throw new Error(`not known how to select by ${selector}`);
  const { list = '', body = '' } = groups;
  return valuesAt(answer, list).map((element) => rowOf(element, body));
}

function rowOf(element: unknown, body: string): SelectedRow {
  const row: SelectedRow = {};
  for (const { groups: pair = {} } of body.matchAll(pairs)) {
    const { name = '', value = '' } = pair;
    const found = valueOf(element, value.trim());
    if (found !== undefined) row[name] = found;
  }
  return row;
}

function valueOf(element: unknown, expression: string): unknown {
  const joined = /^\$join\((.*), " "\)$/.exec(expression)?.[1];
  if (joined !== undefined) return valuesAt(element, joined).join(' ');
  const text = /^\$string\((.*)\)$/.exec(expression)?.[1];
  const [value] = valuesAt(element, text ?? expression);
  return text === undefined || value === undefined || typeof value === 'string'
    ? value
    : JSON.stringify(value);
}

/** Lists on the way are gone through, as in JSONata. */
function valuesAt(from: unknown, path: string): unknown[] {
  const steps = Array.from(
    path.matchAll(/`([^`]+)`|(\w+|\*)/g),
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  return steps.reduce<unknown[]>(
    (values, step) =>
      values.flatMap((value): unknown[] =>
        typeof value === 'object' && value !== null ? stepFrom(value as SelectedRow, step) : [],
      ),
    listOf(from),
  );
}

function stepFrom(value: SelectedRow, step: string): unknown[] {
  if (step === '*') return Object.values(value).flatMap(listOf);
  return Object.hasOwn(value, step) ? listOf(value[step]) : [];
}

function keysOfAll(objects: readonly unknown[]): string[] {
  return [...new Set(objects.flatMap((value) => Object.keys(value as object)))];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}
