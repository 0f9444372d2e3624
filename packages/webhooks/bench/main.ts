import { printColdImports } from './cold-import.ts';
import { printJunk } from './junk.ts';
import { printSizes } from './sizes.ts';
import { printSpeed } from './speed.ts';

console.log(`Node ${process.versions.node}. Times are medians of interleaved batches; the ratio is theirs to ours.\n`);
await printSpeed();
await printJunk();
if (!process.argv.includes('--speed')) {
  printColdImports();
  await printSizes();
}
