import type { Config } from './config.ts';

/** The services that the browser reaches through the console: a request to any other name is not forwarded. */
export const serviceNames = ['ingestion', 'registry', 'query', 'catalog'] as const;

export type ServiceName = (typeof serviceNames)[number];

/** The URL of each service's API, without a trailing slash. */
export type ServiceUrls = Readonly<Record<ServiceName, string>>;

export function serviceUrls(config: Config): ServiceUrls {
  const bare = (url: string): string => url.replace(/\/+$/, '');
  return {
    ingestion: bare(config.INGESTION_URL),
    registry: bare(config.REGISTRY_URL),
    query: bare(config.QUERY_URL),
    catalog: bare(config.CATALOG_URL),
  };
}

export function isServiceName(name: string): name is ServiceName {
  return (serviceNames as readonly string[]).includes(name);
}
