import { UsageError } from '../exit.ts';

/** A request as curl would send it. */
export interface CurlRequest {
  headers: [string, string][];
  body: string;
}

/** One part of a shell word: in single quotes, in `$'…'`, in double quotes, or plain. */
const WORD = /\$'(?:[^'\\]|\\.)*'|'[^']*'|"(?:[^"\\]|\\.)*"|\\[\s\S]|[^\s'"\\]+/g;

/** Reads a curl command, as people write it and browsers copy it. */
export function parseCurl(text: string): CurlRequest {
  const words = wordsOf(text.replaceAll(/\\\r?\n/g, ' '));
  const headers: [string, string][] = [];
  let body = '';
  for (let index = 1; index < words.length; index++) {
    const word = words[index] ?? '';
    const [, long, inline] = /^(--[\w-]+)=([\s\S]*)$/.exec(word) ?? [];
    const name = long ?? word;
    const value = () => inline ?? words[++index] ?? '';
    if (name === '-H' || name === '--header') headers.push(headerOf(value()));
    else if (/^(-d|--data|--data-raw|--data-binary|--data-ascii|--json)$/.test(name)) body = value();
  }
  if (body.startsWith('@'))
    throw new UsageError(`The body of the curl command is in the file ${body.slice(1)}, not in the command.`);
  return { headers, body };
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new UsageError(`Not a header: ${line.slice(0, 40)}`);
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
}

/** Parts without white space between them are one word: `'a'\''b'`. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let endOfLast = -1;
  for (const match of text.matchAll(WORD)) {
    const part = unquoted(match[0]);
    if (match.index === endOfLast && words.length > 0) words.push(`${words.pop()}${part}`);
    else words.push(part);
    endOfLast = match.index + match[0].length;
  }
  return words;
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

function unquoted(part: string): string {
  if (part.startsWith("$'")) {
    return part
      .slice(2, -1)
      .replaceAll(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([\s\S]))/gi, (_all, unicode, hex, other) =>
        unicode || hex ? String.fromCharCode(Number.parseInt(unicode ?? hex, 16)) : (ESCAPES[other] ?? other),
      );
  }
  if (part.startsWith("'")) return part.slice(1, -1);
  if (part.startsWith('"')) return part.slice(1, -1).replaceAll(/\\(["\\$`])/g, '$1');
  return part.startsWith('\\') ? part.slice(1) : part;
}
