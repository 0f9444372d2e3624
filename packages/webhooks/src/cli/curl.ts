import { UsageError } from './usage-error.ts';

/** A request as curl would send it. */
export interface CurlRequest {
  headers: [string, string][];
  body: string;
}

/** One part of a shell word: in single quotes, in `$'…'`, in double quotes, or without quotes. */
const WORD = /\$'(?:[^'\\]|\\.)*'|'[^']*'|"(?:[^"\\]|\\.)*"|\\[\s\S]|[^\s'"\\]+/g;

/** The number of words is limited, because `parseArgs` takes seconds to parse a hundred thousand words. */
const WORDS_MAX = 10_000;

const value = (short?: string) => ({ type: 'string' as const, ...(short && { short }) });

/**
 * The curl options that the parser reads, and the short names of all other options that have a value. Without these
 * short names, the parser would read the letters of a value as options, for example the `H` in `-uHenry`.
 */
const OPTIONS = {
  header: value('H'),
  data: value('d'),
  'data-raw': value(),
  'data-binary': value(),
  'data-ascii': value(),
  'data-urlencode': value(),
  json: value(),
  ...Object.fromEntries([...'AbcCDeEFhKmoPQrtTuUwxXyYz'].map((letter) => [`other-${letter}`, value(letter)])),
};

/**
 * Reads a curl command that a person wrote or a browser copied. Throws `UsageError` if the body is in a file, or if
 * curl would have to encode it.
 */
export function parseCurl(text: string): CurlRequest {
  const { parseArgs } = process.getBuiltinModule('node:util');
  const [, ...args] = wordsOf(text.replaceAll(/\\\r?\n/g, ' '));
  if (args.length > WORDS_MAX) throw new UsageError(`The curl command has more than ${WORDS_MAX} words.`);
  const { tokens } = parseArgs({ args, options: OPTIONS, strict: false, tokens: true });
  const headers: [string, string][] = [];
  const bodies: string[] = [];
  let separator = '&';
  for (const token of tokens) {
    if (token.kind !== 'option' || token.value === undefined) continue;
    if (token.name === 'header') headers.push(headerOf(token.value));
    else if (token.name === 'data-urlencode') {
      throw new UsageError('curl encodes the value of --data-urlencode. Pass the encoded body with --data-raw.');
    } else if (token.name === 'json' || token.name.startsWith('data')) {
      if (token.name === 'json') separator = '';
      if (token.value.startsWith('@') && token.name !== 'data-raw') {
        throw new UsageError(
          `The body of the curl command is in the file ${token.value.slice(1)}, not in the command.`,
        );
      }
      bodies.push(token.value);
    }
  }
  return { headers, body: bodies.join(separator) };
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new UsageError(`Not a header: ${line.slice(0, 40)}`);
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
}

/** Splits a command into words. Parts without white space between them are one word: `'a'\''b'`. */
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

/**
 * Escape sequences in `$'…'`: bytes of UTF-8 in hexadecimal or octal, a UTF-16 unit, or any other escaped character.
 */
const ESCAPE = /((?:\\x[0-9a-f]{1,2}|\\[0-7]{1,3})+)|\\u([0-9a-f]{1,4})|\\([\s\S])/gi;

const bytesOf = (escapes: string) =>
  Buffer.from(
    escapes
      .slice(1)
      .split('\\')
      .map((text) => (/^x/i.test(text) ? Number.parseInt(text.slice(1), 16) : Number.parseInt(text, 8))),
  );

function unquoted(part: string): string {
  if (part.startsWith("$'")) {
    return part.slice(2, -1).replaceAll(ESCAPE, (_all, bytes: string | undefined, unicode, other) => {
      if (bytes) return bytesOf(bytes).toString('utf8');
      return unicode ? String.fromCharCode(Number.parseInt(unicode, 16)) : (ESCAPES[other] ?? other);
    });
  }
  if (part.startsWith("'")) return part.slice(1, -1);
  if (part.startsWith('"')) return part.slice(1, -1).replaceAll(/\\(["\\$`])/g, '$1');
  return part.startsWith('\\') ? part.slice(1) : part;
}
