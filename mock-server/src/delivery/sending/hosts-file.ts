import type { LookupAddress } from 'node:dns';
import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';

const PATH =
  process.platform === 'win32'
    ? `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';

/**
 * Looks names up in the system's hosts file. Reads the file again after a change. An unreadable file counts as empty.
 */
export function createHostsFile(path = PATH): (hostname: string) => Promise<LookupAddress[]> {
  let version = '';
  let known: ReadonlyMap<string, LookupAddress[]> = new Map();

  async function refresh(): Promise<void> {
    const { mtimeMs, size } = await stat(path);
    const present = `${mtimeMs} ${size}`;
    if (present === version) return;
    known = parseHosts(await readFile(path, 'utf8'));
    version = present;
  }

  return async (hostname) => {
    await refresh().catch(() => {});
    return known.get(hostname) ?? [];
  };
}

/** Parses the lines of a hosts file. Each line contains an address, followed by its names. */
function parseHosts(text: string): Map<string, LookupAddress[]> {
  const addresses = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      addresses.set(key, [...(addresses.get(key) ?? []), { address, family }]);
    }
  }
  return addresses;
}
