import type { LoggedAttempt } from '@svc/contract/control/resources';
import { UNSAFE, visibleLine } from '../../../domain/visible-text.ts';

/** Headers that curl sets itself. */
const OWN_HEADERS = new Set(['host', 'content-length', 'connection', 'transfer-encoding']);

export function asCurl({ url, headers }: LoggedAttempt['request'], body: string): string {
  const lines = Object.entries(headers)
    .filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()))
    .map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`);
  // Without `-g`, curl treats `[1-9]` and `{a,b}` in the URL as patterns, and sends a request for each value.
  const command = `curl ${/[[\]{}]/.test(url) ? '-g ' : ''}-X POST ${quoted(url)}`;
  return [command, ...lines, `  --data-raw ${quoted(body)}`].join(' \\\n');
}

/** Quotes a string for the shell. Unsafe characters become escapes that the shell understands. */
function quoted(text: string): string {
  if (visibleLine(text) === text) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `$'${text.replaceAll(/[\\']/g, '\\$&').replaceAll(UNSAFE, bytesOf)}'`;
}

const bytesOf = (text: string) =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
