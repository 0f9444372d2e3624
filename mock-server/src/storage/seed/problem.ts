/** A mistake in a seed and its place. */
export interface SeedProblem {
  /** Names joined with dots, such as `organizations.0.slug`. */
  path: string;
  problem: string;
}
