import { stdSerializers } from 'pino';

/** Field names whose values never reach a log, in lower case and without `-` and `_`. */
const privateNames = new Set([
  'accesskeyid',
  'accesstoken',
  'apikey',
  'authorization',
  'cookie',
  'passphrase',
  'password',
  'payload',
  'privatekey',
  'proxyauthorization',
  'refreshtoken',
  'secret',
  'secretaccesskey',
  'sessiontoken',
  'setcookie',
  'token',
  'xapikey',
]);

/** pino writes no deeper than this either; it also ends a circle. */
const deepest = 5;

/**
 * A copy of what is to be logged without the values of private fields, at any depth, in errors too.
 * pino's own `redact` takes paths with a wildcard for each level, minds capitals, and throws on a
 * Buffer under `*.*.name`: a log line must never be what fails.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (depth > deepest) return '[deeper]';
  if (value instanceof Error) return redactFields(stdSerializers.err(value), depth);
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return redactFields(value, depth);
}

/** `redact` for the fields of one object. */
export function redactFields(fields: object, depth = 0): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    clean[name] = isPrivate(name) ? '[redacted]' : redact(value, depth + 1);
  }
  return clean;
}

function isPrivate(name: string): boolean {
  return privateNames.has(name.replaceAll(/[-_]/g, '').toLowerCase());
}
