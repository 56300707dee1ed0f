import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';

export const help = `Loads the types and entities of a model into a running catalog, and prints example queries.

  npm run catalog:load <model>

  <model>          the name of a model in apps/catalog/models, or the path of such a JSON file

  CATALOG_URL      URL of the catalog (default http://127.0.0.1:4004)
  CATALOG_TOKEN    a token with the scope catalog:admin, if the catalog requires one
`;

export interface Options {
  model: string;
  /** The folder of relative model paths. */
  from: string;
  url: string;
  token: string | undefined;
}

/** An empty variable counts as not set. @throws OperatorError for invalid arguments or variables */
export function parseOptions(args: string[], environment: NodeJS.ProcessEnv): Options | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [model] = positionals;
  if (model === undefined || positionals.length > 1) {
    throw new OperatorError('name one model: npm run catalog:load music (see --help)');
  }
  return { model, ...catalogOptions(environment) };
}

/** URL and token of the catalog, and the folder of relative paths, from the environment. */
export function catalogOptions(environment: NodeJS.ProcessEnv): Omit<Options, 'model'> {
  const given = (variable: string): string | undefined =>
    environment[variable] === '' ? undefined : environment[variable];
  return {
    // npm runs scripts in the folder of package.json; INIT_CWD is where it was called.
    from: given('INIT_CWD') ?? '.',
    url: checkUrl(given('CATALOG_URL') ?? 'http://127.0.0.1:4004'),
    token: checkToken(given('CATALOG_TOKEN')),
  };
}

function parse(args: string[]) {
  try {
    const options = { help: { type: 'boolean', default: false } } as const;
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('. ');
    throw new OperatorError(`${reason} (--help lists the options)`);
  }
}

function checkUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new OperatorError(`CATALOG_URL must be an http address, not '${text}'`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OperatorError('CATALOG_URL must have no user and password; use CATALOG_TOKEN');
  }
  return url.href.replace(/\/$/, '');
}

/** fetch quotes an invalid header value in its error message, so an invalid token is rejected here. */
function checkToken(token: string | undefined): string | undefined {
  if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return token;
  throw new OperatorError('CATALOG_TOKEN is not valid (it is a secret and not shown)');
}
