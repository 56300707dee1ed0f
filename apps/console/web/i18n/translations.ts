/** A text, or one with the parameters of its code. */
export type Translation<Values> = string | ((values: Values) => string);

/** The texts of all codes that the contract of the services lists. */
export type Translations<Code extends string, Values = undefined> = Readonly<
  Record<Code, Translation<Values>>
>;

/** Undefined for a code that the catalogue lacks. */
export function translate<Values>(
  catalogue: Translations<string, Values>,
  code: string,
  values: Values,
): string | undefined {
  if (!Object.hasOwn(catalogue, code)) return undefined;
  const text = catalogue[code];
  return typeof text === 'function' ? text(values) : text;
}
