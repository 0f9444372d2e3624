import { checkAge as checkAgeAt } from '@svc/webhooks/diagnose';
import { instantOf } from '../durations.ts';
import type { Captured } from './captured.ts';
import type { Finding } from './finding.ts';

/** When a receiver checks the request, in milliseconds. `undefined` if its age does not matter. */
export const checkTimeOf = (at: string | undefined): number | undefined =>
  at === 'request' ? undefined : at === undefined ? Date.now() : Date.parse(instantOf('--at', at, Date.now()));

/** The problem that a receiver would report about the age of a genuine request at that time. */
export const checkAge = ({ headers }: Captured, checkedAtMs: number | undefined): Finding[] =>
  checkedAtMs === undefined ? [] : checkAgeAt([...headers], checkedAtMs);
