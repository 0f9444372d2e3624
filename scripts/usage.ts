/** If `--help` is an argument, prints the help and exits. Call this function before anything else runs. */
export function printHelpIfAsked(text: string): void {
  if (!process.argv.includes('--help')) return;
  console.log(text.trim());
  process.exit(0);
}
