interface ServiceTextProps {
  /** The text of the service, in English. */
  text: string;
  /** Undefined where there is no translation. */
  translated: string | undefined;
}

/** A text of a service in the user's language, or else in English and marked as such. */
export function ServiceText({ text, translated }: ServiceTextProps) {
  return translated === undefined ? <span lang="en">{text}</span> : <>{translated}</>;
}
