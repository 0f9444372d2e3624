import type { BufferedRequest } from './request.ts';
import type { SecretSource } from './secret-source.ts';

/**
 * The part of Node that this file uses. Browsers and Workers have no `process`, or a `process` without these members.
 */
interface Platform {
  process: {
    env?: { SVC_DEBUG?: string };
    cwd(): string;
    getBuiltinModule(name: 'module'): { createRequire(from: string): (name: string) => typeof import('./diagnose.ts') };
  };
}
const { process } = globalThis as unknown as Platform;

/** Whether to log details. If `option` is undefined, `SVC_DEBUG=1` in the environment turns the details on. */
export function isDebug(option: boolean | undefined): boolean {
  return option ?? process?.env?.SVC_DEBUG === '1';
}

/** Writes a line for debugging. The line must not contain a secret. */
export const debugLine = (line: string): void => console.debug(`@svc/webhooks: ${line}`);

/**
 * Writes the reason for a rejection as soon as the reason is known. The promise never rejects. The code that finds the
 * reason is not part of bundles, so it requires Node and an installed copy of this package. The code is not loaded with
 * `import()`, because bundlers would include the code in every program, and Workers reject `import()`.
 */
export async function explain(error: unknown, secrets: SecretSource, request?: BufferedRequest): Promise<void> {
  let line = `${error}`;
  try {
    const load = process.getBuiltinModule('module').createRequire(`${process.cwd()}/`);
    line = await load('@svc/webhooks/diagnose').explainRejection(error, secrets, request);
  } catch {}
  debugLine(line);
}
