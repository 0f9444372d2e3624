import type { BufferedRequest } from './request.ts';
import type { SecretSource } from './secret-source.ts';

// A variable, so that bundlers do not put what it names into every program.
const DIAGNOSE = '@svc/webhooks/diagnose';

/** Whether to explain everything: as the option says, or if the variable `SVC_DEBUG` is 1. */
export function isDebug(option: boolean | undefined): boolean {
  // Browsers and Workers have no `process`.
  const platform: { process?: { env?: { SVC_DEBUG?: string } } } = globalThis;
  return option ?? platform.process?.env?.SVC_DEBUG === '1';
}

/** Writes a line for debugging. It must contain no secret. */
export const debugLine = (line: string): void => console.debug(`@svc/webhooks: ${line}`);

/** Writes why a request was rejected, as soon as what finds it out is loaded. Never throws. */
export function explain(error: unknown, secrets: SecretSource, request?: BufferedRequest): void {
  const loaded: Promise<typeof import('./diagnose.ts')> = import(
    /* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ DIAGNOSE
  );
  loaded
    .then(({ explainRejection }) => explainRejection(error, secrets, request))
    // It needs Node, and the package beside the program: a bundle does not contain it. The message still helps.
    .catch(() => String(error))
    .then(debugLine);
}
