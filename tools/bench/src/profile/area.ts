/** A function in a CPU profile (Chrome DevTools Protocol, Profiler.ProfileNode). */
export interface CallFrame {
  functionName: string;
  /** Empty for native functions. */
  url: string;
}

const project = /\/((?:apps|libs)\/[^/]+)\/src\//;
const modulePath = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/;

/** Areas of Node's own modules, by their name; the first one applies. */
const nodeAreas: readonly (readonly [RegExp, string])[] = [
  [/crypto/, 'Node: crypto'],
  [/modules|vm|translators/, 'Node: loading modules'],
  [/http|net$|stream|events|dns/, 'Node: HTTP, sockets, streams'],
  [/timers|process|async_hooks|promises/, 'Node: timers and callbacks'],
  [/./, 'Node: other'],
];

/** The part of the system to which the own time of a function belongs; undefined: waiting. */
export function areaOf({ functionName, url }: CallFrame): string | undefined {
  if (functionName === '(idle)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (url === '') return 'native code and system calls';
  if (url.startsWith('node:')) return nodeAreas.find(([pattern]) => pattern.test(url))?.[1];
  const ours = project.exec(url)?.[1];
  // A workspace is also linked in node_modules, but profiles name real paths.
  if (ours !== undefined && !url.includes('/node_modules/')) return ours;
  const name = modulePath.exec(url)?.[1];
  if (name === undefined) return 'other';
  return /^@(aws-sdk|aws|smithy)\//.test(name) ? 'AWS SDK' : name;
}
