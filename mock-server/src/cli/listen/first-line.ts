/** The longest text to show from an answer. */
const SHOWN_MAX_LENGTH = 80;

/** More bytes than that text can need. */
const READ_MAX_BYTES = 4_096;

/** The first line of an answer that is not blank, shortened, without control characters. */
export function firstLine(body: Buffer): string {
  const [line = ''] = body
    .subarray(0, READ_MAX_BYTES)
    .toString('utf8')
    .trimStart()
    .split(/[\r\n]/, 1);
  const shown = line.trimEnd().replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, escaped);
  return shown.length > SHOWN_MAX_LENGTH ? `${shown.slice(0, SHOWN_MAX_LENGTH - 1)}…` : shown;
}

const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;
