import { instantOf } from '../durations.ts';
import type { Captured } from './captured.ts';
import type { Finding } from './finding.ts';

/** How far a timestamp may be from the receiver's clock, as the service document asks. */
const TOLERANCE_S = 300;

/** When a receiver checks the request, in milliseconds. `undefined` if its age does not matter. */
export const checkTimeOf = (at: string | undefined): number | undefined =>
  at === 'request' ? undefined : at === undefined ? Date.now() : Date.parse(instantOf('--at', at, Date.now()));

/** What a receiver that checks a genuine request at that time finds wrong with its age. */
export function checkAge({ headers }: Captured, checkedAtMs: number | undefined): Finding[] {
  const seconds = Number(headers.get('webhook-timestamp') ?? Number.NaN);
  if (checkedAtMs === undefined || Number.isNaN(seconds)) return [];
  const ageS = Math.floor(checkedAtMs / 1_000) - seconds;
  if (Math.abs(ageS) <= TOLERANCE_S) return [];
  const age = ageS > 0 ? `${ageS} s old` : `${-ageS} s ahead of the clock`;
  const detail = `it is ${age}. A receiver refuses a request that is more than ${TOLERANCE_S} s from its clock. To check all but the age, add --at request.`;
  return [{ what: 'age', ok: false, detail }];
}
