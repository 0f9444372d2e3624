import { printColdImports } from './cold-import.ts';
import { printJunk } from './junk.ts';
import { printSizes } from './sizes.ts';
import { printSpeed } from './speed.ts';

console.log(
  `Node ${process.versions.node}. Lower quartiles of interleaved batches, in CPU time; the ratio is theirs to ours.\n`,
);
await printSpeed();
await printJunk();
if (!process.argv.includes('--speed')) {
  printColdImports();
  await printSizes();
}
