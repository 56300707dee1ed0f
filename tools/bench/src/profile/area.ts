/** A function in a CPU profile (Chrome DevTools Protocol, Profiler.ProfileNode). */
export interface CallFrame {
  functionName: string;
  /** Empty for native functions. */
  url: string;
}

const project = /\/((?:apps|libs)\/[^/]+)\/src\//;
const modulePath = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/;

/** The part of the system to which the own time of a function belongs; undefined: waiting. */
export function areaOf({ functionName, url }: CallFrame): string | undefined {
  if (functionName === '(idle)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (url === '') return 'native code and system calls';
  if (url.startsWith('node:')) return url.includes('crypto') ? 'Node: crypto' : 'Node: other';
  const ours = project.exec(url)?.[1];
  // A workspace is also linked in node_modules, but profiles name real paths.
  if (ours !== undefined && !url.includes('/node_modules/')) return ours;
  const name = modulePath.exec(url)?.[1];
  if (name === undefined) return 'other';
  return /^@(aws-sdk|aws|smithy)\//.test(name) ? 'AWS SDK' : name;
}
