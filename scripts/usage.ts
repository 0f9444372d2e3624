/**
 * If the command line has `--help`, prints the text and ends the process. Call this function before anything else runs.
 */
export function printHelpIfAsked(text: string): void {
  if (!process.argv.includes('--help')) return;
  console.log(text.trim());
  process.exit(0);
}
