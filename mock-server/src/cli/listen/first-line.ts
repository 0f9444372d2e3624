/** The longest text to show from a response. */
const SHOWN_MAX_LENGTH = 80;

/** Always enough bytes for that text. */
const READ_MAX_BYTES = 4_096;

/** The first non-blank line of a response, shortened. */
export function firstLine(body: Buffer): string {
  const [line = ''] = body
    .subarray(0, READ_MAX_BYTES)
    .toString('utf8')
    .trimStart()
    .split(/[\r\n]/, 1);
  const shown = line.trimEnd();
  return shown.length > SHOWN_MAX_LENGTH ? `${shown.slice(0, SHOWN_MAX_LENGTH - 1)}…` : shown;
}
