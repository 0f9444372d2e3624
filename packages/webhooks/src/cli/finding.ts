/** One thing that was checked about a request. */
export interface Finding {
  what: string;
  ok: boolean;
  /** The result, and what to do if it is wrong. */
  detail: string;
}

/** Colors a mark, if the output has colors. */
export interface MarkColours {
  green(text: string): string;
  red(text: string): string;
}

const plain = (text: string): string => text;

/** Shows findings as lines that begin with `ok` or `WRONG`. */
export function showFindings(
  findings: readonly Finding[],
  { green, red }: MarkColours = { green: plain, red: plain },
): string[] {
  return findings.map(({ what, ok, detail }) => `${ok ? green('ok   ') : red('WRONG')}  ${what}: ${detail}`);
}
