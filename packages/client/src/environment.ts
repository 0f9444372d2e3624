/** An environment variable. Undefined if it is not set, or if the runtime has no environment or denies access to it. */
export function environmentVariable(name: string): string | undefined {
  try {
    return (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process.env[name];
  } catch {
    // Deno requires a permission to read it.
    return undefined;
  }
}
