import type { BufferedRequest } from './request.ts';
import type { SecretSource } from './secret-source.ts';

/** The part of Node that this file uses. Browsers and Workers have no `process`, or one without these. */
interface Platform {
  process: {
    env?: { SVC_DEBUG?: string };
    cwd(): string;
    getBuiltinModule(name: 'module'): { createRequire(from: string): (name: string) => typeof import('./diagnose.ts') };
  };
}
const { process } = globalThis as unknown as Platform;

/** Whether to explain everything: as the option says, or if the variable `SVC_DEBUG` is 1. */
export function isDebug(option: boolean | undefined): boolean {
  return option ?? process?.env?.SVC_DEBUG === '1';
}

/** Writes a line for debugging. It must contain no secret. */
export const debugLine = (line: string): void => console.debug(`@svc/webhooks: ${line}`);

/**
 * Writes why a request was rejected, as soon as that is known. Never rejects. The code that finds the reason needs
 * Node, and needs this package to be installed: a bundle does not contain that code. It is not loaded with `import()`,
 * because bundlers would put it into every program, and Workers reject it.
 */
export async function explain(error: unknown, secrets: SecretSource, request?: BufferedRequest): Promise<void> {
  let line = `${error}`;
  try {
    const load = process.getBuiltinModule('module').createRequire(`${process.cwd()}/`);
    line = await load('@svc/webhooks/diagnose').explainRejection(error, secrets, request);
  } catch {}
  debugLine(line);
}
