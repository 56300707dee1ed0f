import { BlockList, isIP } from 'node:net';
import { OperatorError } from '@engawa/errors';
import type { Logger } from 'pino';
import type { RequestLimits } from '../route/request-budget.ts';
import type { HttpConfig } from '../settings/http-settings.ts';
import { PeerPass } from './peer-tokens.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { TokenCheck } from './token-check.ts';
import type { KeyTimes } from './issuer-keys.ts';
import type { TransferLimits } from './watch-transfer.ts';

/** What stands between a request and its route. */
export interface HttpGuards {
  /** Of one page of an answer. */
  requestLimits: RequestLimits;
  maxInFlight: number;
  transfer: TransferLimits;
  /** Requests of one client; 0 is no limit. */
  maxRequestsPerMinute: number;
  /** Proxies whose X-Forwarded-For is believed. */
  trustedProxies: number;
  /** Undefined where everybody may ask everything. */
  tokens: TokenCheck | undefined;
  /** By which other processes are known; undefined where no CURSOR_SECRET is shared with them. */
  peers: PeerPass | undefined;
}

export interface HttpGuardsOptions {
  /** Of the service: whose scopes count. */
  name: string;
  config: HttpConfig;
  log: Logger;
  keyTimes?: Partial<KeyTimes>;
}

/** @throws OperatorError where it is not said who may ask, or not how that is known */
export function httpGuards(options: HttpGuardsOptions): HttpGuards {
  const { config } = options;
  return {
    requestLimits: { deadlineMs: config.REQUEST_DEADLINE_MS, maxUnits: config.REQUEST_UNIT_LIMIT },
    maxInFlight: config.MAX_REQUESTS_IN_FLIGHT,
    transfer: {
      minBytesPerSecond: config.MIN_TRANSFER_BYTES_PER_SECOND,
      graceMs: config.TRANSFER_GRACE_MS,
    },
    maxRequestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    trustedProxies: config.TRUSTED_PROXIES,
    tokens: needsTokens(options) ? createTokenCheck(options) : undefined,
    peers: config.CURSOR_SECRET === undefined ? undefined : new PeerPass(config.CURSOR_SECRET),
  };
}

function needsTokens({ config, log }: HttpGuardsOptions): boolean {
  const { AUTH_MODE: mode, AUTH_ISSUER: issuer, HOST: host } = config;
  if (mode === undefined && issuer !== undefined) {
    throw new OperatorError('AUTH_ISSUER is set, but AUTH_MODE is not; set it to jwt, or to none');
  }
  if (mode === undefined && !isLoopback(host)) {
    throw new OperatorError(
      `HOST is ${host}, which others may reach, and AUTH_MODE is not set; set it to jwt (with AUTH_ISSUER and AUTH_AUDIENCE), or to none to let everybody ask everything`,
    );
  }
  if (mode === 'none' && !isLoopback(host)) {
    log.warn({ host }, 'AUTH_MODE is none: requests are not authenticated');
  }
  return mode === 'jwt';
}

function createTokenCheck({ name, config, log, keyTimes = {} }: HttpGuardsOptions): TokenCheck {
  const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, AUTH_JWKS_URL: jwksUrl } = config;
  if (issuer === undefined || audience === undefined) {
    const missing = Object.entries({ AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience })
      .filter(([, value]) => value === undefined)
      .map(([variable]) => variable);
    throw new OperatorError(
      `AUTH_MODE is jwt, but ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set`,
    );
  }
  return new TokenCheck({
    service: name,
    issuer,
    audience,
    algorithms: config.AUTH_ALGORITHMS,
    types: config.AUTH_TOKEN_TYPES,
    clockToleranceSeconds: config.AUTH_CLOCK_TOLERANCE_S,
    placesClaim: config.AUTH_PLACES_CLAIM,
    keys: new IssuerKeys({ issuer, jwksUrl, log, times: keyTimes }).find,
  });
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const version = isIP(host);
  return version === 0
    ? host === 'localhost'
    : loopback.check(host, version === 6 ? 'ipv6' : 'ipv4');
}
