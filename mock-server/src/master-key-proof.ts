import { ConfigError } from './config/config.ts';
import type { MasterKey } from './domain/master-key.ts';
import { revealSecret, WrongMasterKeyError } from './domain/webhook-secret.ts';
import type { Queries } from './storage/port.ts';
import { findAnySecret } from './storage/statements/find-any-secret.ts';
import { findSetting } from './storage/statements/find-setting.ts';
import { saveSetting } from './storage/statements/save-setting.ts';

/**
 * Proves that this is the key that the data was made with: a wrong one would sign with keys that no receiver has, and
 * refuse the page tokens of other nodes. New data is marked with the key, by a value that tells nothing of it.
 *
 * @throws {@link ConfigError} where it is another key.
 */
export async function proveMasterKey(queries: Queries, masterKey: MasterKey): Promise<void> {
  const mark = masterKey.derive('mark of the data', '', 32).toString('hex');
  const present = await findSetting(queries, 'masterKeyMark');
  if (present !== undefined && present !== mark) {
    throw wrongKey('The master key is not the one that this data was made with.');
  }
  const secret = await findAnySecret(queries);
  try {
    if (secret) revealSecret(masterKey, secret);
  } catch (error) {
    throw error instanceof WrongMasterKeyError ? wrongKey(error.message, error) : error;
  }
  if (present === undefined) await saveSetting(queries, 'masterKeyMark', mark);
}

const wrongKey = (message: string, cause?: unknown) =>
  new ConfigError(`${message} Start with the key that this data was made with.`, { cause });
