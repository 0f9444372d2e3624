interface Runtime {
  document?: object;
  process?: { env?: Record<string, string | undefined>; versions?: { node?: string } };
}

/**
 * Returns an environment variable. Returns undefined if the variable is not set, or if the runtime has no environment
 * or denies access to it.
 */
export function environmentVariable(name: string): string | undefined {
  try {
    return (globalThis as Runtime).process?.env?.[name];
  } catch {
    // Deno throws if access is denied.
    return undefined;
  }
}

/**
 * Whether this code runs in a web page. In a web page, `credential.ts` rejects the credential by default. A simulated
 * web page in Node, such as jsdom, does not count as a web page.
 */
export function isInPage(): boolean | undefined {
  const { document, process } = globalThis as Runtime;
  return document && !process?.versions?.node;
}
