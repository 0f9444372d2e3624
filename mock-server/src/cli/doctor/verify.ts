import { diagnoseRequest } from '@svc/webhooks/diagnose';
import type { Captured } from './captured.ts';
import type { Finding } from './finding.ts';

/**
 * Checks a request with the endpoint's secret, as `svc-webhooks verify` does.
 *
 * @param findChanges - Returns the parts that differ from what the server sent. Called if the secret does not verify
 *   the request.
 */
export const verify = (
  { headers, ...request }: Captured,
  secret: string,
  findChanges?: () => Promise<Finding[]>,
): Promise<Finding[]> => diagnoseRequest({ ...request, headers: [...headers] }, [secret], findChanges);
