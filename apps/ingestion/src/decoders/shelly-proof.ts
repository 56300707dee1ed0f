import { isObject } from './payload.ts';

/** Keys of components without a number that no other brand's status is likely to have (Shelly API docs). */
const provingKeys: ReadonlyMap<string, string> = new Map([
  ['sys', 'mac'],
  ['wifi', 'sta_ip'],
  ['eth', 'ip'],
  ['cloud', 'connected'],
  ['mqtt', 'connected'],
  ['ws', 'connected'],
]);

/** The default prefix of a device's topics is its id: model and MAC address, such as `shellyplus1pm-a8032abe54dc`. */
export function isShellyPrefix(prefix = ''): boolean {
  return /^shelly/i.test(prefix);
}

/**
 * Whether a message on `<prefix>/events/rpc` or `<prefix>/status/<component>` is of a Shelly, whose prefix may be
 * renamed: a notification names its method, and the status of a numbered component repeats the number as its id.
 */
export function isOfShelly(levels: readonly string[], body: Record<string, unknown>): boolean {
  if (isShellyPrefix(levels[0])) return true;
  const [parent, last = ''] = levels.slice(-2);
  if (parent === 'events') return isNotification(body);
  const [type = '', number] = last.split(':', 2);
  if (number !== undefined) return String(body['id']) === number;
  const key = provingKeys.get(type);
  return key !== undefined && Object.hasOwn(body, key);
}

function isNotification({ method, params, src }: Record<string, unknown>): boolean {
  const isNamed = typeof method === 'string' && method.startsWith('Notify');
  return isNamed || (isObject(params) && isShellyPrefix(String(src)));
}
