import { ConfigError, type ServerConfig } from '../config/config.ts';
import { canOthersWrite, masterKeyFileIn } from '../config/data-folder.ts';
import { findMasterKey } from '../config/master-key.ts';
import { parseSmtpUrl } from '../config/urls.ts';
import type { ReceiverRules } from '../domain/endpoint-url.ts';
import { createAddressRules, createAddressSet, InvalidNetworkError } from '../domain/receiver-address.ts';
import type { Logger } from '../runtime/logger.ts';

/** Checks settings before the database is created, so that an invalid setting does not leave a new database behind. */
export function checkConfig(config: ServerConfig, logger: Logger) {
  const rules = receiverRules(config);
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

function receiverRules({ strict, allowNetworks, onlyNetworks }: ServerConfig): ReceiverRules {
  try {
    return {
      local: !strict,
      // Check at each connection too: a shared database may contain endpoints that another server accepted.
      addresses: createAddressRules({ allowLoopback: !strict, allowNetworks, allowPublic: onlyNetworks === undefined }),
      onlyAlso: onlyNetworks && createAddressSet(onlyNetworks),
    };
  } catch (error) {
    throw error instanceof InvalidNetworkError ? new ConfigError(error.message, { cause: error }) : error;
  }
}
