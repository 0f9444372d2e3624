import type { BufferedRequest } from './request.ts';
import type { SecretSource } from './secret-source.ts';

/** The part of Node that this file uses. Browsers and Workers have no `process`, or one without these. */
interface Platform {
  process?: {
    env?: { SVC_DEBUG?: string };
    cwd(): string;
    getBuiltinModule(name: 'node:module'): { createRequire(from: string): (name: string) => unknown };
  };
}
const platform: Platform = globalThis;

/** Whether to explain everything: as the option says, or if the variable `SVC_DEBUG` is 1. */
export function isDebug(option: boolean | undefined): boolean {
  return option ?? platform.process?.env?.SVC_DEBUG === '1';
}

/** Writes a line for debugging. It must contain no secret. */
export const debugLine = (line: string): void => console.debug(`@svc/webhooks: ${line}`);

/** Writes why a request was rejected, as soon as that is known. Never throws. */
export function explain(error: unknown, secrets: SecretSource, request?: BufferedRequest): void {
  Promise.resolve()
    .then(() => diagnose().explainRejection(error, secrets, request))
    // It needs Node, and the package beside the program: a bundle does not contain it. The message still helps.
    .catch(() => String(error))
    .then(debugLine);
}

/** Loads what finds the reason. Not with `import()`: bundlers would put it into every program, and Workers refuse it. */
function diagnose(): typeof import('./diagnose.ts') {
  const { process } = platform as Required<Platform>;
  const { createRequire } = process.getBuiltinModule('node:module');
  return createRequire(`${process.cwd()}/`)('@svc/webhooks/diagnose') as typeof import('./diagnose.ts');
}
