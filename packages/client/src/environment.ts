/** A variable of the environment. Undefined if it is not set, or if the runtime has no environment or does not let it be read. */
export function environmentVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.[name];
  } catch {
    // Deno asks for a permission.
    return undefined;
  }
}
