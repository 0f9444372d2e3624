import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { MasterKey } from '../domain/master-key.ts';
import { ConfigError } from './config.ts';

/**
 * The master key: the configured one, else the one in the file, which is made with mode 0600 where it is absent.
 *
 * @throws {@link ConfigError} where the text is not a key, or the file cannot be used. The text itself is never shown.
 */
export function loadMasterKey(configured: string | undefined, file: string | undefined): MasterKey {
  if (configured !== undefined) return parseMasterKey(configured, 'SVC_MASTER_KEY');
  if (file === undefined) return MasterKey.random();
  try {
    // `wx` fails where the file exists: whoever comes second reads what the first one wrote.
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new ConfigError(`The master key cannot be written to ${file}: ${(cause as Error).message}`, { cause });
    }
  }
  return parseMasterKey(readFileSync(file, 'utf8'), file);
}

function parseMasterKey(text: string, source: string): MasterKey {
  const trimmed = text.trim();
  const bytes = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (bytes.length !== 32)
    throw new ConfigError(`${source} holds no master key: it is 32 bytes, in base64 or hexadecimal.`);
  return new MasterKey(bytes);
}
