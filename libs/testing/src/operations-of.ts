interface Contract {
  paths: Record<string, Record<string, { security?: { bearer: string[] }[] }>>;
}

export interface GuardedOperation {
  method: string;
  /** With an `x` for each parameter of the path. */
  url: string;
  /** What a token must allow, such as `query:read`; undefined where none is needed. */
  scope: string | undefined;
}

/** All that can be asked of an API, as its own contract says. */
export async function operationsOf(api: string): Promise<GuardedOperation[]> {
  const { paths } = (await (await fetch(`${api}/openapi.json`)).json()) as Contract;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      url: api + path.replaceAll(/\{\w+\}/g, 'x'),
      scope: security?.[0]?.bearer[0],
    })),
  );
}
