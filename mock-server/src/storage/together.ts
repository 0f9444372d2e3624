/**
 * Waits for statements that do not need each other. On PostgreSQL they go out together and are answered together.
 *
 * All have ended when it resolves or rejects, so that none runs on behind the transaction that another one broke.
 *
 * @throws what the first of them in their order threw.
 */
export async function together<const Statements extends readonly unknown[]>(
  statements: Statements,
): Promise<{ -readonly [Index in keyof Statements]: Awaited<Statements[Index]> }> {
  const settled = await Promise.allSettled(statements);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }) as { -readonly [Index in keyof Statements]: Awaited<Statements[Index]> };
}
