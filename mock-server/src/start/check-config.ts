import { ConfigError, type ServerConfig } from '../config/config.ts';
import { canOthersWrite, masterKeyFileIn } from '../config/data-folder.ts';
import { findMasterKey } from '../config/master-key.ts';
import { parseSmtpUrl } from '../config/urls.ts';
import type { ReceiverRules } from '../domain/endpoint-url.ts';
import { type AddressRules, createAddressRules, InvalidNetworkError } from '../domain/receiver-address.ts';
import type { Logger } from '../runtime/logger.ts';

/** The rules for connections to receivers and data sources. */
export interface ConnectionRules extends ReceiverRules {
  /** Like `addresses`, but without public addresses if `allowPublic` is false, as in tests. */
  reachable: AddressRules;
  /** The addresses to which a redirect may lead: like `reachable`, but without loopback addresses. */
  redirected: AddressRules;
}

/** Call this before the database is created, so that an invalid setting leaves no new database behind. */
export function checkConfig(config: ServerConfig, logger: Logger) {
  const rules = connectionRulesOf(config);
  const { dataDir } = config;
  if (dataDir !== null && canOthersWrite(dataDir)) {
    logger.warn({ dataDir }, 'other users can write to the data folder; restrict the folder with chmod 700');
  }
  const keySources = {
    configured: config.masterKey,
    file: dataDir === null ? undefined : masterKeyFileIn(dataDir),
  };
  findMasterKey(keySources.configured, keySources.file);
  return { rules, keySources, smtp: config.smtp === undefined ? undefined : parseSmtpUrl(config.smtp) };
}

export function connectionRulesOf({
  strict,
  allowNetworks,
  allowPublic = true,
}: Pick<ServerConfig, 'strict' | 'allowNetworks' | 'allowPublic'>): ConnectionRules {
  const allowLoopback = !strict;
  try {
    return {
      local: !strict,
      addresses: createAddressRules({ allowLoopback, allowNetworks }),
      reachable: createAddressRules({ allowLoopback, allowNetworks, allowPublic }),
      redirected: createAddressRules({ allowLoopback: false, allowNetworks, allowPublic }),
    };
  } catch (error) {
    throw error instanceof InvalidNetworkError ? new ConfigError(error.message, { cause: error }) : error;
  }
}
