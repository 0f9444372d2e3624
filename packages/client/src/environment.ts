interface Runtime {
  document?: unknown;
  process?: { env?: Record<string, string | undefined>; versions?: { node?: string } };
}

/** An environment variable. Undefined if it is not set, or if the runtime has no environment or denies access to it. */
export function environmentVariable(name: string): string | undefined {
  try {
    return (globalThis as Runtime).process?.env?.[name];
  } catch {
    // Deno throws without the permission to read the variable.
    return undefined;
  }
}

/** Whether this runs in a web page. Imitations of a page, such as jsdom, run in Node. */
export function isInPage(): boolean {
  const { document, process } = globalThis as Runtime;
  return !!document && !process?.versions?.node;
}
