import { ConfigError } from '../config/config.ts';
import { drawMasterKey, type FoundMasterKey, findMasterKey } from '../config/master-key.ts';
import type { MasterKey } from '../domain/master-key.ts';
import type { Random } from '../domain/random.ts';
import type { Queries } from '../storage/port.ts';
import { findSetting, saveSetting } from '../storage/statements/settings.ts';

export interface MasterKeySources {
  configured: string | undefined;
  file: string | undefined;
}

/**
 * Returns the key with which the data was created, or generates a key for new data. Throws if `sources` contains
 * another key, with which the server could not restore the signing secrets. In new data, stores a mark of the key. The
 * mark later identifies the key, but reveals nothing about it. The returned `keep` writes a generated key to its file.
 * Call `keep` only when nothing else can make startup fail.
 */
export async function proveMasterKey(queries: Queries, sources: MasterKeySources, random: Random) {
  const { found, mark } = await checkMasterKey(queries, sources);
  const { key, keep } = found ? { key: found.key, keep: () => {} } : drawMasterKey(sources.file, random);
  if (mark === undefined) await saveSetting(queries, 'masterKeyMark', markOf(key));
  return { masterKey: key, keep };
}

/** Like {@link proveMasterKey}, but writes nothing. */
export async function checkMasterKey(
  queries: Queries,
  sources: MasterKeySources,
): Promise<{ found: FoundMasterKey | undefined; mark: string | undefined }> {
  const mark = await findSetting(queries, 'masterKeyMark');
  const found = findMasterKey(sources.configured, sources.file);
  if (mark === undefined || (found && markOf(found.key) === mark)) return { found, mark };
  throw new ConfigError(
    found
      ? `The master key in ${found.source} does not belong to this data. ${howToGive(sources)}`
      : `There is no master key in ${sources.file}, but this data needs a master key. ${howToGive(sources)}`,
  );
}

const howToGive = ({ configured, file }: MasterKeySources) =>
  configured === undefined
    ? `Copy master.key from the server that created the data to ${file}, or set SVC_MASTER_KEY to that key.`
    : 'Set SVC_MASTER_KEY to the key of the server that created the data: its SVC_MASTER_KEY, or the content of its master.key.';

export const markOf = (key: MasterKey) => key.derive('mark of the data', '', 32).toString('hex');
