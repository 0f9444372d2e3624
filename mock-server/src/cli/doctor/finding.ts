import type { Output } from '../output/output.ts';

/** One thing that the doctor checked. */
export interface Finding {
  what: string;
  ok: boolean;
  /** The result, and what to do if it is wrong. */
  detail: string;
}

/** Shows findings as a list with marks. */
export function showFindings({ style }: Output, findings: readonly Finding[]): string[] {
  return findings.map(
    ({ what, ok, detail }) => `${ok ? style.green('ok   ') : style.red('WRONG')}  ${what}: ${detail}`,
  );
}
