/** The result of one check of a request. */
export interface Finding {
  what: string;
  ok: boolean;
  /** A sentence about the result. If the check failed, the sentence also says what to do. */
  detail: string;
}

/** Functions that color `ok` and `WRONG` if the output supports colors. */
export interface MarkColors {
  green(text: string): string;
  red(text: string): string;
}

const plain = (text: string): string => text;

/** Returns a line for each finding. The line begins with `ok` or `WRONG`. */
export function showFindings(
  findings: readonly Finding[],
  { green, red }: MarkColors = { green: plain, red: plain },
): string[] {
  return findings.map(({ what, ok, detail }) => `${ok ? green('ok   ') : red('WRONG')}  ${what}: ${detail}`);
}
