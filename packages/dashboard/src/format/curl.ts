import { UNSAFE } from './text.ts';

export interface CurlRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | null | undefined;
}

/** Headers that `curl` sets itself. */
const LEFT_OUT = ['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding'];

/**
 * Returns a curl command in which every value is quoted, so that the shell runs no part of a value. The body follows
 * `--data-raw`, because with `--data`, a body that begins with `@` would name a file.
 */
export function curlCommand({ method, url, headers, body }: CurlRequest): string {
  // Without -g, curl sends a request for each value of [1-9] or {a,b} in the URL.
  const lines = [`curl ${/[[\]{}]/.test(url) ? '-g ' : ''}-X ${quote(method)} ${quote(url)}`];
  for (const [name, value] of Object.entries(headers)) {
    if (!LEFT_OUT.includes(name.toLowerCase())) lines.push(`-H ${quote(`${name}: ${value}`)}`);
  }
  if (body != null && body !== '') lines.push(`--data-raw ${quote(body)}`);
  return lines.join(' \\\n  ');
}

/**
 * Inside `'…'`, all characters are literal, so a single quote is written outside: `'\''`. But some characters control a
 * terminal even inside quotes. An interactive bash treats a later line that starts with `^` as a change to the previous
 * command. A string with such a character or line is written as `$'…'` with escapes, which bash and zsh understand.
 */
function quote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (text.search(UNSAFE) === -1 && !text.includes('\n^')) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${text.replaceAll(/[\\']/g, '\\$&').replaceAll(UNSAFE, bytesOf).replaceAll('\n^', '\\n^')}'`;
}

const bytesOf = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
