/** Call this before anything else runs. */
export function printHelpIfAsked(text: string): void {
  if (!process.argv.includes('--help')) return;
  console.log(text.trim());
  process.exit(0);
}
