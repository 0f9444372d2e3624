/** The longest text to show from a response. */
const SHOWN_MAX_LENGTH = 80;

/** More bytes than that text can need. */
const READ_MAX_BYTES = 4_096;

/** The first line of a response that is not blank, shortened. */
export function firstLine(body: Buffer): string {
  const [line = ''] = body
    .subarray(0, READ_MAX_BYTES)
    .toString('utf8')
    .trimStart()
    .split(/[\r\n]/, 1);
  const shown = line.trimEnd();
  return shown.length > SHOWN_MAX_LENGTH ? `${shown.slice(0, SHOWN_MAX_LENGTH - 1)}…` : shown;
}
