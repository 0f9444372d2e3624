import { receiverUrlProblem } from '../domain/endpoint-url.ts';
import { READ_MAX_MS, SILENCE_MAX_MS, type SourceRules } from '../lifecycle/open-source.ts';
import { createGuardedConnector } from '../network/guarded-connector.ts';
import type { OwnAddresses } from '../network/own-addresses.ts';
import { createReadingTime } from '../network/parsing-time.ts';
import { createNameResolver } from '../network/resolve-name.ts';
import type { ConnectionRules } from './check-config.ts';

/** Connections to data sources have the same guards as connections for deliveries. */
export function sourceRulesOf(
  rules: ConnectionRules,
  own: OwnAddresses,
  { readingTime = createReadingTime(), silenceMaxMs = SILENCE_MAX_MS, readMaxMs = READ_MAX_MS } = {},
): SourceRules {
  const resolve = createNameResolver({ timeoutMs: silenceMaxMs });
  return {
    silenceMaxMs,
    readMaxMs,
    readingTime,
    connect: createGuardedConnector(rules.reachable, silenceMaxMs, resolve, own),
    connectRedirected: createGuardedConnector(rules.redirected, silenceMaxMs, resolve, own),
    urlProblem: (url) => receiverUrlProblem(url, rules),
    readsFiles: rules.local,
  };
}
