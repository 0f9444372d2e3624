import { checkAge as checkAgeAt } from '@svc/webhooks/diagnose';
import { instantOf } from '../durations.ts';
import type { Captured } from './captured.ts';
import type { Finding } from './finding.ts';

/** When a receiver checks the request, in milliseconds. `undefined` if its age does not matter. */
export const checkTimeOf = (at: string | undefined): number | undefined =>
  at === 'request' ? undefined : at === undefined ? Date.now() : Date.parse(instantOf('--at', at, Date.now()));

/** What a receiver that checks a genuine request at that time finds wrong with the request's age. */
export const checkAge = ({ headers }: Captured, checkedAtMs: number | undefined): Finding[] =>
  checkedAtMs === undefined ? [] : checkAgeAt([...headers], checkedAtMs);
