/**
 * Prints the text and ends the process if the command line has `--help`. Call this function before anything else runs.
 */
export function printHelpIfAsked(text: string): void {
  if (!process.argv.includes('--help')) return;
  console.log(text.trim());
  process.exit(0);
}
