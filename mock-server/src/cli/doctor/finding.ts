import { type Finding, showFindings as show } from '@svc/webhooks/diagnose';
import type { Output } from '../output/output.ts';

export type { Finding };

/** Shows findings as a list with marks. */
export const showFindings = ({ style }: Output, findings: readonly Finding[]): string[] => show(findings, style);
