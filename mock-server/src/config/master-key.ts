import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  makeKeyFile(file);
  return parseMasterKey(readKeyFile(file), file);
}

/** The file appears whole or not at all: of servers that start at once, one makes it and the others read what is in it. */
function makeKeyFile(file: string): void {
  if (existsSync(file)) return;
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(draft, file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new ConfigError(`The master key cannot be written to ${file}: ${(cause as Error).message}`, { cause });
  } finally {
    rmSync(draft, { force: true });
  }
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new ConfigError(`The master key cannot be read from ${file}: ${(cause as Error).message}`, { cause });
  }
}

function parseMasterKey(text: string, source: string): MasterKey {
  const trimmed = text.trim();
  const bytes = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (bytes.length !== 32)
    throw new ConfigError(`${source} holds no master key: it is 32 bytes, in base64 or hexadecimal.`);
  return new MasterKey(bytes);
}
