/** A variable of the environment. Undefined if it is not set, or if the runtime has no environment or does not let it be read. */
export function environmentVariable(name: string): string | undefined {
  try {
    return (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process.env[name];
  } catch {
    // Deno asks for a permission.
    return undefined;
  }
}
