const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses JSON within the limits below. `problem` is the end of a sentence, such as `is not valid JSON`. */
export function parseLimitedJson(bytes: Uint8Array, nodesMax?: number): { value: unknown } | { problem: string } {
  const unparsable = unparsablePart(bytes, nodesMax);
  if (unparsable !== undefined) return { problem: unparsable };
  try {
    const text = decoder.decode(bytes);
    const value: unknown = JSON.parse(text);
    const unstorable = unstorablePart(text, value);
    return unstorable === undefined ? { value } : { problem: unstorable };
  } catch {
    return { problem: 'is not valid JSON' };
  }
}

// After an even number of backslashes, `\u` begins an escape sequence. JSON has no other escape sequence for U+0000.

/** Matches an escaped surrogate. `JSON.stringify` escapes a surrogate only if it is not part of a pair. */
const ESCAPED_SURROGATE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;

const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/** How deeply JSON may be nested. Writing JSON with deeper nesting may exhaust a program's stack. */
const JSON_LEVELS_MAX = 1_000;

/** The maximum number of arrays, objects and fields. Other values take less time to parse. */
const JSON_NODES_MAX = 10_000;

/**
 * Checks JSON before it is parsed, because even a small body full of brackets could block the server. For invalid JSON,
 * the result has no meaning.
 */
export function unparsablePart(json: Uint8Array, nodesMax: number = JSON_NODES_MAX): string | undefined {
  if (json.length <= 2 * JSON_LEVELS_MAX) return undefined;
  let [level, nodes, inString] = [0, 0, false];
  for (let index = 0; index < json.length; index++) {
    const byte = json[index];
    if (inString && byte === BACKSLASH) index++;
    else if (byte === QUOTE) inString = !inString;
    else if (inString) continue;
    else if (byte === OPEN || byte === OPEN_OBJECT) {
      if (++level > JSON_LEVELS_MAX) return `is nested more than ${JSON_LEVELS_MAX.toLocaleString('en')} levels deep`;
      nodes++;
    } else if (byte === COLON) nodes++;
    else if (byte === CLOSE || byte === CLOSE_OBJECT) level--;
    if (nodes > nodesMax) return `contains more than ${nodesMax.toLocaleString('en')} arrays, objects and fields`;
  }
  return undefined;
}

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_OBJECT, CLOSE_OBJECT, COLON] = Buffer.from('"\\[]{}:');

/** Returns why PostgreSQL cannot store a string in the JSON, or `undefined`. The same rules apply on SQLite. */
function unstorablePart(text: string, value: unknown): string | undefined {
  if (!text.includes('\\u')) return undefined;
  if (ESCAPED_NUL.test(text)) return 'contains the character U+0000, which cannot be stored';
  if (ESCAPED_SURROGATE.test(text) && ESCAPED_SURROGATE.test(JSON.stringify(value))) {
    return 'contains half of a surrogate pair, which is not a character';
  }
  return undefined;
}
