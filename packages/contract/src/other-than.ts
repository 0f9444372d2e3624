// biome-ignore format: the alphabet is easier to check in three lines.
type Letter =
  | 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm'
  | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z'
  | '.' | '_';

/**
 * All strings of two letters. The type depends on `Known`, so that the compiler computes these strings only in programs
 * that compare a value with a known string.
 */
type PairFor<Known> = Known extends unknown ? `${Letter}${Letter}` : never;

/** The pairs of adjacent letters in a string: `ab` and `bc` for `abc`. */
type PairsIn<Text extends string, Found extends string = never> = Text extends `${infer A}${infer B}${infer Rest}`
  ? PairsIn<`${B}${Rest}`, Found | `${A}${B}`>
  : Found;

/** The strings that come before each part of a dotted string. For `a.b.c`: the empty string, `a.` and `a.b.`. */
type StartsIn<Text extends string, Start extends string = ''> = Text extends `${infer Part}.${infer Rest}`
  ? Start | StartsIn<Rest, `${Start}${Part}.`>
  : Start;

type WithPair<Pair> = Pair extends string ? `${string}${Pair}${string}` : never;

type FirstAfter<Start extends string, Known extends string> = Known extends `${Start}${infer First}${string}`
  ? First
  : never;

type WithOtherPart<Known extends string, Start extends string> = Start extends unknown
  ? `${Start}${Exclude<Letter, FirstAfter<Start, Known>>}${string}`
  : never;

/**
 * A string that is not in `Known`. The string matches if it contains a pair of adjacent letters that no known string
 * contains. It also matches if one of its parts between dots has a first letter that this part has in no known string.
 * Almost every lower-case string outside `Known` matches. A string that consists of pieces of known strings does not
 * match.
 *
 * TypeScript has no type for "any other string". If this type were `string`, a comparison with a known string would not
 * narrow a union.
 *
 * {@includeCode ../../client/test/documented/values.ts#other}
 */
export type OtherThan<Known extends string> =
  | WithPair<Exclude<PairFor<Known>, PairsIn<Known>>>
  | WithOtherPart<Known, StartsIn<Known>>;
