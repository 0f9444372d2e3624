/** `true` if the two types are identical. */
export type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : [A, B] extends [B, A]
      ? [keyof A, keyof B] extends [keyof B, keyof A]
        ? true
        : false
      : false;

/** Does not compile with `false`. */
export type Expect<T extends true> = T;
