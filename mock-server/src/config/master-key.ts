import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { MasterKey } from '../domain/master-key.ts';
import type { Random } from '../domain/random.ts';
import { ConfigError } from './config.ts';
import { readRegularFile } from './own-file.ts';

export interface FoundMasterKey {
  key: MasterKey;
  /** The key in base64. */
  text: string;
  /** Where the key comes from: `SVC_MASTER_KEY`, or the path of the key file. */
  source: string;
}

/** Returns the configured master key, or the key in the file. Error messages never contain the key. */
export function findMasterKey(configured: string | undefined, file: string | undefined): FoundMasterKey | undefined {
  if (configured !== undefined) return parseMasterKey(configured, 'SVC_MASTER_KEY');
  if (file === undefined) return undefined;
  const text = readKeyFile(file);
  return text === undefined ? undefined : parseMasterKey(text, file);
}

/** Generates a master key for new data. `keep` writes the key to `file`, or does nothing without `file`. */
export function drawMasterKey(file: string | undefined, random: Random) {
  const bytes = random.bytes('master key', 32);
  return {
    key: new MasterKey(bytes),
    keep: () => file !== undefined && keepMasterKey(file, bytes.toString('base64')),
  };
}

/** Writes the file completely or not at all, and never replaces an existing key. */
export function keepMasterKey(file: string, text: string): void {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(draft, file);
  } catch (cause) {
    throw new ConfigError(`Cannot write the master key to ${file}: ${(cause as Error).message}`, { cause });
  } finally {
    rmSync(draft, { force: true });
  }
}

function readKeyFile(file: string): string | undefined {
  try {
    return readRegularFile(file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ConfigError(`Cannot read the master key from ${file}: ${(cause as Error).message}`, { cause });
  }
}

function parseMasterKey(text: string, source: string): FoundMasterKey {
  const trimmed = text.trim();
  const bytes = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (bytes.length !== 32)
    throw new ConfigError(
      `${source} does not contain a master key. A master key is 32 bytes, in base64 or hexadecimal.`,
    );
  return { key: new MasterKey(bytes), text: bytes.toString('base64'), source };
}
